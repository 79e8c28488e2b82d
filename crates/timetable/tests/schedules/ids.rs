//! Ids as agencies make them: what JSON must escape, what it must not, and bytes that are no text.

use timetable::MemoryFiles;

use crate::{assert_answers, files, read};

/// Asserts that an id, quoted for CSV, comes out as `json` (with its quotes) wherever an id stands.
fn assert_id(id: &str, json: &str) {
    let quoted = format!("\"{}\"", id.replace('"', "\"\""));
    let feed = files(&[
        ("routes.txt", &format!("route_id,route_type\n{quoted},3\n")),
        ("trips.txt", &format!("route_id,service_id,trip_id\n{quoted},{quoted},{quoted}\n")),
        ("stop_times.txt", &format!("trip_id,stop_id,stop_sequence\n{quoted},{quoted},1\n")),
    ]);
    let answer = [
        r#"[{"trip_id":"#,
        json,
        r#","service_id":"#,
        json,
        r#","route_id":"#,
        json,
        r#","schedules":[{"stop_id":"#,
        json,
        r#","arrival_time":"","departure_time":""}]}]"#,
    ];
    assert_answers(&feed, &[(id, &answer.concat())]);
}

#[test]
fn spaces_within_an_id_stay() {
    assert_id("Green Line  E", r#""Green Line  E""#);
}

#[test]
fn text_beyond_ascii_is_written_as_it_is() {
    assert_id("Ñuñoa é", "\"Ñuñoa é\"");
    assert_id("東京🚋", "\"東京🚋\"");
    println!("neither delete, nor the separators of lines and paragraphs, nor a slash is escaped");
    assert_id("a\u{7f}b\u{2028}c\u{2029}d/e", "\"a\u{7f}b\u{2028}c\u{2029}d/e\"");
    println!("only ASCII spaces and tabs are padding");
    assert_id("\u{a0}x\u{3000}", "\"\u{a0}x\u{3000}\"");
}

#[test]
fn quotes_and_backslashes_are_escaped() {
    assert_id(r#"say "hi""#, r#""say \"hi\"""#);
    assert_id(r"C:\new\u0041", r#""C:\\new\\u0041""#);
    assert_id("\"", r#""\"""#);
    assert_id("\\", r#""\\""#);
}

#[test]
fn control_characters_have_their_short_escapes() {
    assert_id("a\tb", r#""a\tb""#);
    assert_id("a\nb", r#""a\nb""#);
    assert_id("a\r\nb", r#""a\r\nb""#);
    assert_id("a\u{8}\u{c}b", r#""a\b\fb""#);
}

#[test]
fn other_control_characters_are_escaped_by_number() {
    assert_id("a\u{1}b", r#""a\u0001b""#);
    assert_id("a\0b", r#""a\u0000b""#);
    assert_id("\u{b}\u{1b}\u{1f}", r#""\u000b\u001b\u001f""#);
}

#[test]
fn commas_and_what_looks_like_json_stay_text() {
    assert_id("a,b", r#""a,b""#);
    assert_id(r#"","x":["#, r#""\",\"x\":[""#);
}

#[test]
fn an_id_of_thousands_of_bytes_comes_out_whole() {
    let id = "long \u{1}é".repeat(1000);
    assert_id(&id, &format!("\"{}\"", r"long \u0001é".repeat(1000)));
}

#[test]
fn ids_that_differ_in_case_or_leading_zeros_are_different() {
    let feed = files(&[
        ("trips.txt", "route_id,service_id,trip_id\nr,S,1\nR,S,01\nR,S,001\n"),
        ("stop_times.txt", "trip_id,stop_id,stop_sequence\n01,a,1\n001,A,1\n1,0,1\n"),
    ]);
    let of_lower = concat!(
        r#"[{"trip_id":"1","service_id":"S","route_id":"r","schedules":["#,
        r#"{"stop_id":"0","arrival_time":"","departure_time":""}]}]"#
    );
    let of_upper = concat!(
        r#"[{"trip_id":"01","service_id":"S","route_id":"R","schedules":["#,
        r#"{"stop_id":"a","arrival_time":"","departure_time":""}]},"#,
        r#"{"trip_id":"001","service_id":"S","route_id":"R","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"","departure_time":""}]}]"#
    );
    assert_answers(&feed, &[("r", of_lower), ("R", of_upper)]);
}

#[test]
fn invalid_utf_8_becomes_the_replacement_character_and_is_reported() {
    let feed = MemoryFiles(vec![
        ("trips.txt".to_owned(), b"route_id,service_id,trip_id\nR\xe9,S1,T\xe9\n".to_vec()),
        ("stop_times.txt".to_owned(), b"trip_id,stop_id,stop_sequence\nT\xe9,\xe2\x82s,1\nT\xe9,\xff\xfe,2\n".to_vec()),
    ]);
    let answer = concat!(
        "[{\"trip_id\":\"T\u{fffd}\",\"service_id\":\"S1\",\"route_id\":\"R\u{fffd}\",\"schedules\":[",
        "{\"stop_id\":\"\u{fffd}s\",\"arrival_time\":\"\",\"departure_time\":\"\"},",
        "{\"stop_id\":\"\u{fffd}\u{fffd}\",\"arrival_time\":\"\",\"departure_time\":\"\"}]}]"
    );
    assert_answers(&feed, &[("R\u{fffd}", answer)]);
    assert_ne!(read(&feed, 2).report.problem_count(), 0);
}
