//! What answers are made of: rows of the feed as objects whose fields have the reference's names.
//!
//! An object says its fields to a [`Fields`], which writes them: [`write_json`] as JSON, [`write_csv_row`] as a line of
//! CSV. What the feed leaves empty is left out in JSON and empty in CSV.

mod csv_row;
mod departure;
mod json_object;
mod places;
mod trips;

pub use csv_row::{write_csv_header, write_csv_row};
pub use departure::DepartureObject;
pub use json_object::{write_json, write_json_string};
pub use places::{RouteObject, ShapeObject, StopObject, StopWithChildren, write_geojson_shape, write_geojson_stop};
pub use trips::{FrequencyObject, ServiceObject, StopTimeObject, TripObject, TripWithTimes};

use jiff::civil::Date;

/// Something with named fields.
pub trait Object {
    /// The names of the fields in the order in which they are said, without those that hold objects: CSV has no place
    /// for these.
    const FIELDS: &'static [&'static str];

    /// Says each field to `out`, in the order of [`Object::FIELDS`]; those without a value are left out.
    fn write_fields(&self, out: &mut impl Fields);

    /// The object as compact JSON.
    fn to_json(&self) -> Vec<u8>
    where
        Self: Sized,
    {
        let mut out = Vec::new();
        write_json(self, &mut out);
        out
    }
}

/// What takes the fields of an object.
pub trait Fields {
    /// A text.
    fn text(&mut self, name: &'static str, value: &str);

    /// A whole number.
    fn number(&mut self, name: &'static str, value: i64);

    /// A number with decimals; never infinite.
    fn decimal(&mut self, name: &'static str, value: f64);

    /// Yes or no.
    fn flag(&mut self, name: &'static str, value: Flag);

    /// Several texts.
    fn texts(&mut self, name: &'static str, values: impl Iterator<Item = String>);

    /// Several objects.
    fn objects<O: Object>(&mut self, name: &'static str, objects: impl Iterator<Item = O>);

    /// A text that may be missing.
    fn optional_text(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// A number that may be missing.
    fn optional_number(&mut self, name: &'static str, value: Option<impl Into<i64>>) {
        if let Some(value) = value {
            self.number(name, value.into());
        }
    }

    /// A date as `YYYY-MM-DD`.
    fn optional_date(&mut self, name: &'static str, value: Option<Date>) {
        if let Some(value) = value {
            self.text(name, &value.to_string());
        }
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// true
    Yes,
    /// false
    No,
}

impl From<bool> for Flag {
    fn from(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}
