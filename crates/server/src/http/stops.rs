//! Stops, stations and other places.

use std::sync::Arc;

use timetable::{Object, StopIdx, StopObject, StopWithChildren, Timetable, write_geojson_stop};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::answer::Answer;
use super::endpoints::Asked;
use super::lists::{Choice, Format, List, WITH_PLACES};
use super::problem::Problem;

/// The mean radius of the earth in metres (IUGG).
const EARTH_RADIUS_METERS: f64 = 6_371_008.8;

/// How many metres around a place count as near where nobody says otherwise, and how many at most.
const RADIUS_DEFAULT_METERS: f64 = 500.0;
const RADIUS_MAX_METERS: f64 = 100_000.0;

/// How many words of a name may be asked for: each is looked for in all names.
const WORDS_MAX: usize = 8;
const WORDS_BYTES_MAX: usize = 200;

/// `GET /stops`: all in the order of stops.txt; those near a place, the nearest first; those with words in their name.
pub(super) fn list(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let Asked { snapshot, query, .. } = asked;
    snapshot.need(&["stops.txt"])?;
    let timetable = snapshot.timetable();
    let list = List::read(asked, WITH_PLACES)?;
    let near = query.find_as("near", "latitude,longitude in degrees, such as 42.3523,-71.0552", read_place)?;
    let read_radius = |text: &str| text.parse().ok().filter(|radius| (0.0..=RADIUS_MAX_METERS).contains(radius));
    let radius = query.find_as("radius", "metres, from 0 to 100000", read_radius)?;
    if radius.is_some() && near.is_none() {
        return Err(Problem::missing_parameter("near", "the place around which the radius is meant"));
    }
    let after = query.find("after").map(|id| find_stop(timetable, id)).transpose()?;
    let expected = format!("up to {WORDS_MAX} words of up to {WORDS_BYTES_MAX} bytes together");
    let words = query.find_as("q", &expected, read_words)?.unwrap_or_default();
    let has_words = |stop: &StopIdx| {
        let has_word = |word: &String| snapshot.folded_name(*stop).contains(word.as_str());
        words.iter().all(has_word)
    };
    let named = timetable.stops().filter(has_words);
    let found: Vec<(StopIdx, Option<u32>)> = match near {
        None => named.filter(|stop| Some(*stop) > after).map(|stop| (stop, None)).take(list.limit + 1).collect(),
        Some(place) => {
            let near = stops_near(timetable, named, place, radius.unwrap_or(RADIUS_DEFAULT_METERS));
            let place_of = |after: StopIdx| {
                let position = near.iter().position(|(stop, _)| *stop == after);
                let id = timetable.stop_id(after);
                position.ok_or_else(|| Problem::bad_parameter("after", id, "the id of a stop that is near as well"))
            };
            let passed_over = after.map(place_of).transpose()?.map_or(0, |position| position + 1);
            let rest = near.into_iter().skip(passed_over);
            rest.map(|(stop, distance)| (stop, Some(distance.round() as u32))).take(list.limit + 1).collect()
        }
    };
    let snapshot = Arc::clone(snapshot);
    Ok(list.page(
        asked,
        found,
        |timetable, (stop, _)| timetable.stop_id(*stop),
        move |format, found| {
            let timetable = snapshot.timetable();
            let objects = found.iter().map(|(stop, distance_meters)| StopObject {
                timetable,
                stop: *stop,
                distance_meters: *distance_meters,
            });
            format.write_places(objects, write_geojson_stop)
        },
    ))
}

/// `GET /stops/{stop_id}`.
pub(super) fn one(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let stop = find_stop(asked.snapshot.timetable(), &asked.id)?;
    let choice = Choice::read(asked, &[Format::Json, Format::Geojson])?;
    let snapshot = Arc::clone(asked.snapshot);
    Ok(choice.answer(asked, move |format| {
        let object = StopObject { timetable: snapshot.timetable(), stop, distance_meters: None };
        if format == Format::Json {
            return StopWithChildren(object).to_json();
        }
        let mut out = Vec::new();
        write_geojson_stop(&object, &mut out);
        out
    }))
}

/// The stop called `stop_id`.
pub(super) fn find_stop(timetable: &Timetable, stop_id: &str) -> Result<StopIdx, Problem> {
    timetable
        .find_stop(stop_id)
        .ok_or_else(|| Problem::unknown_id("stop", stop_id, timetable.stops().map(|stop| timetable.stop_id(stop))))
}

/// Those of `stops` that are no further away than the radius, with their distances in metres, the nearest first.
fn stops_near(
    timetable: &Timetable,
    stops: impl Iterator<Item = StopIdx>,
    place: (f64, f64),
    radius_meters: f64,
) -> Vec<(StopIdx, f64)> {
    let with_distances = stops.filter_map(|stop| Some((stop, distance_meters(timetable.stop(stop).place?, place))));
    let mut near: Vec<_> = with_distances.filter(|(_, distance)| *distance <= radius_meters).collect();
    near.sort_by(|one, other| one.1.total_cmp(&other.1));
    near
}

/// The distance along a great circle, by the haversine formula: right for points next to each other, too.
fn distance_meters(one: (f64, f64), other: (f64, f64)) -> f64 {
    let half_sine_squared = |from: f64, to: f64| ((to - from).to_radians() / 2.0).sin().powi(2);
    let cosines = one.0.to_radians().cos() * other.0.to_radians().cos();
    let chord = half_sine_squared(one.0, other.0) + cosines * half_sine_squared(one.1, other.1);
    2.0 * EARTH_RADIUS_METERS * chord.sqrt().min(1.0).asin()
}

/// The words that a name shall have, in the form of [`folded`].
fn read_words(text: &str) -> Option<Vec<String>> {
    let words: Vec<String> = text.split_whitespace().map(folded).collect();
    (text.len() <= WORDS_BYTES_MAX && words.len() <= WORDS_MAX).then_some(words)
}

/// `latitude,longitude` in degrees.
fn read_place(text: &str) -> Option<(f64, f64)> {
    let (latitude, longitude) = text.split_once(',')?;
    let degrees =
        |text: &str, bound: f64| text.trim().parse().ok().filter(|degrees| (-bound..=bound).contains(degrees));
    Some((degrees(latitude, 90.0)?, degrees(longitude, 180.0)?))
}

/// `text` in small letters without accents, so that `zurich` finds `Zürich`.
pub(super) fn folded(text: &str) -> String {
    text.nfd().filter(|character| !is_combining_mark(*character)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_map() {
        // Boston, South Station to Park Street; Berlin to Potsdam; across the date line; from pole to pole.
        for (one, other, expected) in [
            ((42.352_271, -71.055_242), (42.356_395, -71.062_424), 747.0),
            ((52.525_1, 13.369_4), (52.391_7, 13.066_9), 25_304.0),
            ((0.0, 179.999), (0.0, -179.999), 222.4),
            ((90.0, 0.0), (-90.0, 0.0), 20_015_115.0),
            ((1.0, 1.0), (1.0, 1.0), 0.0),
        ] {
            let distance = distance_meters(one, other);
            assert!((distance - expected).abs() <= 0.002 * expected, "{distance} instead of {expected}");
        }
    }

    #[test]
    fn places_are_read_or_refused() {
        assert_eq!(read_place("42.35,-71.05"), Some((42.35, -71.05)));
        assert_eq!(read_place(" 42.35, -71.05 "), Some((42.35, -71.05)));
        for text in ["42.35", "42.35;-71.05", "91,0", "0,181", "NaN,0", "inf,0", "a,b", "1,2,3"] {
            assert_eq!(read_place(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_compared_without_accents_and_capitals() {
        for (name, word) in
            [("Zürich HB", "zurich"), ("Gare de l'Est", "EST"), ("Ångström", "angstrom"), ("ΑΘΗΝΑ", "αθηνα")]
        {
            assert!(folded(name).contains(&folded(word)), "{name} {word}");
        }
    }
}
