//! Lists: as JSON, newline-delimited JSON, CSV or GeoJSON, page by page.

use hyper::header::{self, HeaderMap};
use timetable::{Object, Timetable, write_csv_header, write_csv_row, write_json};

use super::answer::Answer;
use super::coding::quality;
use super::endpoints::Asked;
use super::problem::Problem;

/// How many objects a page has where nobody says otherwise, and how many it has at most: a connection holds a page in
/// memory until it is sent, some hundreds of bytes for each of them.
pub(super) const LIMIT_DEFAULT: usize = 1000;
const LIMIT_MAX: usize = 1000;

/// The parameters that every list has.
pub(super) const PARAMETERS: [&str; 3] = ["after", "format", "limit"];

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Ndjson,
    Csv,
    Geojson,
}

/// The media type of GeoJSON (RFC 7946, 12).
pub(super) const GEOJSON: &str = "application/geo+json";

/// The formats of lists of what has no place.
pub(super) const WITHOUT_PLACES: &[Format] = &[Format::Json, Format::Ndjson, Format::Csv];

/// The formats of lists of places.
pub(super) const WITH_PLACES: &[Format] = &[Format::Json, Format::Ndjson, Format::Csv, Format::Geojson];

impl Format {
    /// What `format=` calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Geojson => "geojson",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Geojson => GEOJSON,
        }
    }

    /// The media type that Accept calls it by.
    fn media_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// Writes a list of what has no place.
    pub(super) fn write<O: Object>(self, objects: impl Iterator<Item = O>) -> Vec<u8> {
        self.write_places(objects, |_, _| unreachable!("GeoJSON is not offered for what has no place"))
    }

    /// Writes a list of places, of which `write_feature` writes one as a GeoJSON feature.
    pub(super) fn write_places<O: Object>(
        self,
        objects: impl Iterator<Item = O>,
        write_feature: impl Fn(&O, &mut Vec<u8>),
    ) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Json => {
                write_separated(objects, b"[", &mut out, |object, out| write_json(&object, out));
                out.push(b']');
            }
            Self::Geojson => {
                let begin = b"{\"type\":\"FeatureCollection\",\"features\":[";
                write_separated(objects, begin, &mut out, |object, out| write_feature(&object, out));
                out.extend_from_slice(b"]}");
            }
            Self::Ndjson => objects.for_each(|object| {
                write_json(&object, &mut out);
                out.push(b'\n');
            }),
            Self::Csv => {
                write_csv_header::<O>(&mut out);
                objects.for_each(|object| write_csv_row(&object, &mut out));
            }
        }
        out
    }
}

fn write_separated<O>(
    objects: impl Iterator<Item = O>,
    begin: &[u8],
    out: &mut Vec<u8>,
    write: impl Fn(O, &mut Vec<u8>),
) {
    out.extend_from_slice(begin);
    for (position, object) in objects.enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(object, out);
    }
}

/// Which format a request wants: the one that `format=` names, otherwise the best that Accept lets through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    format: Format,
    is_by_accept: bool,
}

impl Choice {
    /// What `asked` chooses among the formats `offered`.
    pub(super) fn read(asked: &Asked<'_>, offered: &[Format]) -> Result<Self, Problem> {
        let names: Vec<&str> = offered.iter().map(|format| format.name()).collect();
        let expected = format!("one of {}", names.join(", "));
        let by_name = |name: &str| offered.iter().copied().find(|format| format.name() == name);
        match asked.query.find_as("format", &expected, by_name)? {
            Some(format) => Ok(Self { format, is_by_accept: false }),
            None => {
                let format = accepted(asked.headers, offered);
                let media_types: Vec<&str> = offered.iter().map(|format| format.media_type()).collect();
                let format = format.ok_or_else(|| Problem::not_acceptable(&media_types.join(", ")))?;
                Ok(Self { format, is_by_accept: true })
            }
        }
    }

    /// What `write` writes in the format that was chosen.
    pub(super) fn answer(self, asked: &Asked<'_>, write: impl Fn(Format) -> Vec<u8> + Send + Sync + 'static) -> Answer {
        let Self { format, is_by_accept } = self;
        let answer = Answer::of_request(asked, format.content_type(), move || write(format));
        let answer = if is_by_accept { answer.chosen_by_accept() } else { answer };
        // Nobody may drive out what is kept for all by asking for the same in a thousand ways.
        if asked.query.is_empty() { answer } else { answer.compressed_each_time() }
    }
}

/// The format of the highest quality (RFC 9110, 12.5.1), the first of `offered` among equals; none if none is accepted.
fn accepted(headers: &HeaderMap, offered: &[Format]) -> Option<Format> {
    let values: Vec<&str> =
        headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok()).collect();
    if values.iter().all(|value| value.trim().is_empty()) {
        return offered.first().copied();
    }
    let ranges: Vec<(&str, f32)> = values.iter().flat_map(|value| value.split(',')).filter_map(read_range).collect();
    let quality = |format: &Format| {
        let media_type = format.media_type();
        let any_of_type = media_type.split('/').next().unwrap_or_default();
        // The most specific range that fits says how welcome a media type is.
        let by =
            |fits: &dyn Fn(&str) -> bool| ranges.iter().find(|(range, _)| fits(range)).map(|(_, quality)| *quality);
        by(&|range| range.eq_ignore_ascii_case(media_type))
            .or_else(|| {
                by(&|range| range.strip_suffix("/*").is_some_and(|range| range.eq_ignore_ascii_case(any_of_type)))
            })
            .or_else(|| by(&|range| range == "*/*"))
            .unwrap_or(0.0)
    };
    let best = offered.iter().map(quality).fold(0.0, f32::max);
    offered.iter().find(|format| best > 0.0 && quality(format) == best).copied()
}

/// A media range and its quality; none for one that has no sound quality.
fn read_range(element: &str) -> Option<(&str, f32)> {
    let (range, parameters) = element.split_once(';').unwrap_or((element, ""));
    Some((range.trim(), quality(parameters)?))
}

/// A list that is answered: how it is written, and which part of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    choice: Choice,
    /// How many objects at most.
    pub(super) limit: usize,
}

impl List {
    /// What `asked` says of a list that can be written in the formats `offered`.
    pub(super) fn read(asked: &Asked<'_>, offered: &[Format]) -> Result<Self, Problem> {
        Self::read_with_limit(asked, offered, LIMIT_DEFAULT, LIMIT_MAX)
    }

    /// The same with another limit where none is given, and another that none may pass.
    pub(super) fn read_with_limit(
        asked: &Asked<'_>,
        offered: &[Format],
        limit_default: usize,
        limit_max: usize,
    ) -> Result<Self, Problem> {
        let expected = format!("a whole number from 1 to {limit_max}");
        let read = |text: &str| text.parse().ok().filter(|limit| (1..=limit_max).contains(limit));
        let limit = asked.query.find_as("limit", &expected, read)?.unwrap_or(limit_default);
        Ok(Self { choice: Choice::read(asked, offered)?, limit })
    }

    /// The page of `found`, of which one more than the limit was looked for; `id` is what `after` knows each by.
    pub(super) fn page<T: Send + Sync + 'static>(
        self,
        asked: &Asked<'_>,
        mut found: Vec<T>,
        id: impl for<'t> Fn(&'t Timetable, &T) -> &'t str,
        write: impl Fn(Format, &[T]) -> Vec<u8> + Send + Sync + 'static,
    ) -> Answer {
        let has_more = found.len() > self.limit;
        found.truncate(self.limit);
        let next = found.last().filter(|_| has_more).map(|last| id(asked.snapshot.timetable(), last));
        let next = next.map(|id| asked.query.target_with(asked.path, "after", id));
        let answer = self.answer(asked, move |format| write(format, &found));
        match next {
            Some(next) => answer.with_next(&next),
            None => answer,
        }
    }

    /// The list that `write` writes.
    pub(super) fn answer(self, asked: &Asked<'_>, write: impl Fn(Format) -> Vec<u8> + Send + Sync + 'static) -> Answer {
        self.choice.answer(asked, write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_of_the_highest_quality_is_chosen() {
        for (accept, format) in [
            ("", Some(Format::Json)),
            ("*/*", Some(Format::Json)),
            ("text/csv", Some(Format::Csv)),
            ("TEXT/CSV ; q=0.5, application/x-ndjson", Some(Format::Ndjson)),
            ("application/json;q=0.1, */*;q=0.2", Some(Format::Ndjson)),
            ("application/geo+json, application/json", Some(Format::Json)),
            ("text/*", Some(Format::Csv)),
            ("text/html, application/xhtml+xml, */*;q=0.8", Some(Format::Json)),
            ("application/*;q=0.3, application/json;q=0", Some(Format::Ndjson)),
            ("text/csv;header=present", Some(Format::Csv)),
            ("image/png", None),
            ("*/*;q=0", None),
            ("text/csv;q=nan, application/x-ndjson;q=0.1", Some(Format::Ndjson)),
            ("text/csv;q=7, application/json;q=0.1", Some(Format::Json)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(accepted(&headers, WITHOUT_PLACES), format, "{accept:?}");
        }
        let mut headers = HeaderMap::new();
        assert_eq!(accepted(&headers, WITH_PLACES), Some(Format::Json));
        headers.insert(header::ACCEPT, "application/geo+json".parse().unwrap());
        assert_eq!(accepted(&headers, WITH_PLACES), Some(Format::Geojson));
    }
}
