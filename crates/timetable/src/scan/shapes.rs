//! shapes.txt.

use super::row::{Column, Columns, Row};
use crate::index::ShapeIdx;
use crate::pools::StringPool;
use crate::problem::FeedError;
use crate::rows;
use crate::shape::{to_millionths, write_points};

/// The rows of shapes.txt.
#[derive(Default)]
pub(crate) struct ShapeRows {
    pub(crate) ids: StringPool<ShapeIdx>,
    /// shape -> its points, packed, once all rows have come.
    pub(crate) packed: rows::Rows<ShapeIdx, u8>,
    points: Vec<Point>,
    columns: ShapeColumns,
}

/// A row of shapes.txt; latitude and longitude are in millionths of a degree.
struct Point {
    shape: ShapeIdx,
    sequence: u32,
    latitude: i32,
    longitude: i32,
}

#[derive(Default)]
struct ShapeColumns {
    shape_id: Column,
    shape_pt_lat: Column,
    shape_pt_lon: Column,
    shape_pt_sequence: Column,
}

impl super::Table for ShapeRows {
    const FILE: &'static str = "shapes.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let columns = ShapeColumns {
            shape_id: columns.get("shape_id")?,
            shape_pt_lat: columns.get("shape_pt_lat")?,
            shape_pt_lon: columns.get("shape_pt_lon")?,
            shape_pt_sequence: columns.get("shape_pt_sequence")?,
        };
        Ok(Self { columns, ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let columns = &self.columns;
        let Some(latitude) = row.degrees(columns.shape_pt_lat, 90.0) else {
            return row.report_missing(columns.shape_pt_lat, "degrees");
        };
        let Some(longitude) = row.degrees(columns.shape_pt_lon, 180.0) else {
            return row.report_missing(columns.shape_pt_lon, "degrees");
        };
        let Some(sequence) = row.number(columns.shape_pt_sequence, 0..=u32::MAX) else {
            return row.report_missing(columns.shape_pt_sequence, "a whole number");
        };
        // Points come by shape: the one before is mostly of this shape too.
        let last = self.points.last().map(|point| point.shape);
        let shape = match last.filter(|last| self.ids.get_bytes(*last) == row.bytes(columns.shape_id)) {
            Some(last) => last,
            None => {
                let Some(id) = row.id(columns.shape_id) else { return };
                self.ids.intern(&id)
            }
        };
        self.points.push(Point {
            shape,
            sequence,
            latitude: to_millionths(latitude),
            longitude: to_millionths(longitude),
        });
    }

    /// Packs the points of each shape in the order of their sequence.
    fn end_file(&mut self) {
        let mut points = std::mem::take(&mut self.points);
        // Stable, so that points of one sequence keep the order of the file; sorted rows cost one look each.
        points.sort_by_key(|point| (point.shape, point.sequence));
        let mut packed = Vec::new();
        for points in points.chunk_by(|one, next| one.shape == next.shape) {
            packed.clear();
            write_points(points.iter().map(|point| (point.latitude, point.longitude)), &mut packed);
            self.packed.push_row(&packed);
        }
        self.packed.shrink_to_fit();
        self.ids.shrink_to_fit();
    }
}
