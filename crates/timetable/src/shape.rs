//! Shapes, kept as differences in millionths of a degree: some four bytes for a point.

/// Millionths of a degree: eleven centimetres at most, less than any vehicle's width.
const PER_DEGREE: f64 = 1e6;

/// The points of a shape in order, as latitude and longitude in degrees, WGS 84.
#[derive(Clone, Debug)]
pub struct Points<'t> {
    packed: &'t [u8],
    latitude: i32,
    longitude: i32,
}

impl<'t> Points<'t> {
    pub(crate) fn new(packed: &'t [u8]) -> Self {
        Self { packed, latitude: 0, longitude: 0 }
    }
}

impl Iterator for Points<'_> {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        if self.packed.is_empty() {
            return None;
        }
        self.latitude = self.latitude.wrapping_add(read_difference(&mut self.packed));
        self.longitude = self.longitude.wrapping_add(read_difference(&mut self.packed));
        Some((f64::from(self.latitude) / PER_DEGREE, f64::from(self.longitude) / PER_DEGREE))
    }
}

/// `degrees` in millionths; for -180 to 180.
pub(crate) fn to_millionths(degrees: f64) -> i32 {
    (degrees * PER_DEGREE).round() as i32
}

/// Packs points, given in millionths of a degree.
pub(crate) fn write_points(points: impl Iterator<Item = (i32, i32)>, packed: &mut Vec<u8>) {
    let mut before = (0i32, 0i32);
    for (latitude, longitude) in points {
        write_difference(latitude.wrapping_sub(before.0), packed);
        write_difference(longitude.wrapping_sub(before.1), packed);
        before = (latitude, longitude);
    }
}

/// Seven bits to a byte, the lowest first; a sign in the lowest bit keeps small negative differences short.
fn write_difference(difference: i32, packed: &mut Vec<u8>) {
    let mut rest = (difference.wrapping_shl(1) ^ (difference >> 31)) as u32;
    while rest >= 0x80 {
        packed.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    packed.push(rest as u8);
}

fn read_difference(packed: &mut &[u8]) -> i32 {
    let mut bits = 0u32;
    for shift in (0..).step_by(7) {
        let (byte, rest) = packed.split_first().expect("what write_difference wrote is whole");
        *packed = rest;
        bits |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    (bits >> 1) as i32 ^ -((bits & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn points_come_back_to_the_millionth(points in proptest::collection::vec((-90_000_000..=90_000_000, -180_000_000..=180_000_000), 0..30)) {
            let mut packed = Vec::new();
            write_points(points.iter().copied(), &mut packed);
            let back: Vec<_> = Points::new(&packed).map(|(latitude, longitude)| (to_millionths(latitude), to_millionths(longitude))).collect();
            prop_assert_eq!(back, points);
        }
    }

    #[test]
    fn near_points_take_four_bytes() {
        let mut packed = Vec::new();
        write_points((0..100).map(|step| (42_000_000 + step * 500, -71_000_000 - step * 700)), &mut packed);
        assert!(packed.len() <= 99 * 4 + 10);
    }
}
