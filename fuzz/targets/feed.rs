//! Small feeds made of the columns of the reference and of values that agencies might write, right, wrong and mutated.
//!
//! The bytes are draws: which files there are, which columns, which values and in which print. So a mutation changes
//! the feed and not only its syntax, which the target `csv` looks after.

#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use linespeed_fuzz::judge;
use timetable::{MemoryFiles, REFERENCE, ReferenceFile, Usage};

const FOLDERS: [&str; 4] = ["", "gtfs/", "a/b c/", "../"];
const NAMES_BESIDE: [&str; 6] =
    ["__MACOSX/trips.txt", "old/trips.txt", "notes.pdf", "._stop_times.txt", "", "trips.txt/"];
const LINE_ENDS: [&[u8]; 4] = [b"\n", b"\r\n", b"\r", b"\n\r\n\n"];

/// Few, so that they collide and refer to each other.
const IDS: [&[u8]; 12] =
    [b"A", b"B", b"A", b"b", b"", b"\xff", b"\xfe", b"\xef\xbf\xbd", b"a,\"b\"", b"two\nlines", b"\0", b"\\u0041"];
const TIMES: [&[u8]; 12] = [
    b"",
    b"8:00:00",
    b"08:00:00",
    b"08:00:01",
    b"07:59:59",
    b"24:00:00",
    b"99:59:59",
    b"100:00:00",
    b"99999:59:59",
    b"12:60:00",
    b"-1:00:00",
    b"::",
];
const DATES: [&[u8]; 9] =
    [b"20260101", b"20261231", b"20240229", b"20250229", b"00000101", b"99991231", b"", b"2026-1-1", b"00000000"];
const NUMBERS: [&[u8]; 14] =
    [b"0", b"1", b"2", b"3", b"4", b"5", b"", b"-1", b"1799", b"1800", b"65536", b"1.5", b"999999999", b"x"];
const DEGREES: [&[u8]; 10] =
    [b"42.35", b"-71.06", b"90", b"-90.0000001", b"180", b"180.1", b"", b"NaN", b"inf", b"1e-400"];
const TEXTS: [&[u8]; 8] =
    [b"", b"Harbor Loop", b"ffffff", b"FF00zz", b"\xc3\x28", b"America/New_York", b"\"\"", b"  padded\t"];

fuzz_target!(|data: &[u8]| {
    // It ends where the draws end: `arbitrary` gives zeros from there on.
    if let Ok(files) = draw_files(&mut Unstructured::new(data)) {
        judge(&files);
    }
});

fn draw_files(draws: &mut Unstructured<'_>) -> Result<MemoryFiles> {
    let folder = *draws.choose(&FOLDERS)?;
    let mut files = Vec::new();
    for reference in REFERENCE {
        let is_there = match reference.usage {
            Usage::Indispensable => !draws.ratio(1, 64)?,
            Usage::Read => draws.ratio(1, 2)?,
            Usage::Counted => draws.ratio(1, 64)?,
        };
        if is_there {
            files.push((format!("{folder}{}", reference.name), draw_file(draws, reference)?));
        }
    }
    if draws.ratio(1, 8)? {
        files.push(((*draws.choose(&NAMES_BESIDE)?).to_owned(), draws.arbitrary::<&[u8]>()?.to_vec()));
    }
    Ok(MemoryFiles(files))
}

fn draw_file(draws: &mut Unstructured<'_>, reference: &ReferenceFile) -> Result<Vec<u8>> {
    let mut fields: Vec<&str> = reference.fields.to_vec();
    for _ in 0..draws.int_in_range(0..=2)? {
        mutate_header(draws, &mut fields)?;
    }
    let line_end = *draws.choose(&LINE_ENDS)?;
    let mut text = if draws.ratio(1, 8)? { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
    text.extend_from_slice(fields.join(",").as_bytes());
    for _ in 0..draws.int_in_range(0..=12)? {
        text.extend_from_slice(line_end);
        let field_count = if draws.ratio(1, 16)? { draws.int_in_range(0..=20)? } else { fields.len() };
        for position in 0..field_count {
            if position > 0 {
                text.push(b',');
            }
            write_value(draws, fields.get(position).copied().unwrap_or(""), &mut text)?;
        }
    }
    if draws.ratio(3, 4)? {
        text.extend_from_slice(line_end);
    }
    for _ in 0..draws.int_in_range(0..=2)? {
        mutate_bytes(draws, &mut text)?;
    }
    Ok(text)
}

/// Leaves a column out, or has it twice, elsewhere or under another name.
fn mutate_header(draws: &mut Unstructured<'_>, fields: &mut Vec<&str>) -> Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    let at = draws.choose_index(fields.len())?;
    match draws.int_in_range(0..=4)? {
        0 => drop(fields.remove(at)),
        1 => fields.push(fields[at]),
        2 => fields.rotate_left(at),
        3 => fields[at] = "x_column",
        _ => fields[at] = "",
    }
    Ok(())
}

/// Takes a byte out, puts one in or changes one.
fn mutate_bytes(draws: &mut Unstructured<'_>, text: &mut Vec<u8>) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let at = draws.choose_index(text.len())?;
    match draws.int_in_range(0..=3)? {
        0 => drop(text.remove(at)),
        1 => text.insert(at, draws.arbitrary()?),
        2 => text[at] = draws.arbitrary()?,
        _ => text.truncate(at),
    }
    Ok(())
}

/// A value that suits the field, or, now and then, one that does not; quoted where it must be, and at whim.
fn write_value(draws: &mut Unstructured<'_>, field: &str, text: &mut Vec<u8>) -> Result<()> {
    let suited: &[&[u8]] = match field {
        _ if field.ends_with("_id") || field == "parent_station" => &IDS,
        _ if field.ends_with("_time") => &TIMES,
        _ if field.ends_with("date") => &DATES,
        _ if field.ends_with("_lat") || field.ends_with("_lon") => &DEGREES,
        _ if field.ends_with("_name") || field.ends_with("headsign") || field.ends_with("color") => &TEXTS,
        _ => &NUMBERS,
    };
    let value = match draws.int_in_range(0..=31)? {
        0 => draws.arbitrary::<&[u8]>()?,
        1 => *draws.choose(&TEXTS)?,
        2 => *draws.choose(&IDS)?,
        _ => *draws.choose(suited)?,
    };
    if draws.ratio(1, 8)? || value.iter().any(|byte| b",\"\r\n".contains(byte)) {
        text.push(b'"');
        for byte in value {
            text.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
        }
        text.push(b'"');
    } else {
        text.extend_from_slice(value);
    }
    Ok(())
}
