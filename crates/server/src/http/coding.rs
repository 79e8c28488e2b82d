//! Content codings: how the bytes of an answer are packed for the way, and which of them a client takes.

use hyper::header::{self, HeaderMap, HeaderValue};

/// How the content of an answer is coded (RFC 9110, 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    /// `zstd` (RFC 8878).
    Zstd,
    /// `br` (RFC 7932).
    Brotli,
    /// `gzip` (RFC 1952).
    Gzip,
    /// As it is.
    Identity,
}

impl Coding {
    /// All of them. The first is taken among those that a client likes as much: zstd is the smallest and the quickest
    /// to make and to take apart, brotli is smaller than gzip, and whatever is coded is smaller than what is not.
    const ALL: [Self; 4] = [Self::Zstd, Self::Brotli, Self::Gzip, Self::Identity];

    /// The value of Content-Encoding, which answers that are not coded do not have.
    pub(super) fn content_encoding(self) -> Option<HeaderValue> {
        (self != Self::Identity).then_some(HeaderValue::from_static(self.name()))
    }

    /// What the tags of answers in this coding end with.
    pub(super) fn tag_suffix(self) -> &'static str {
        match self {
            Self::Zstd => "-zstd",
            Self::Brotli => "-br",
            Self::Gzip => "-gzip",
            Self::Identity => "",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// The coding of this name; `x-gzip` is gzip (RFC 9110, 8.4.1.3).
    fn named(name: &str) -> Option<Self> {
        let name = if name.eq_ignore_ascii_case("x-gzip") { "gzip" } else { name };
        Self::ALL.into_iter().find(|coding| coding.name().eq_ignore_ascii_case(name))
    }
}

/// How good each coding is to a client, from 0, which is not at all, to 1.
#[derive(Debug)]
pub(super) struct Accepted {
    /// The quality of each of [`Coding::ALL`].
    qualities: [f32; Coding::ALL.len()],
}

/// The quality of what a client takes though it does not say so: less than any that it can say.
const UNSAID: f32 = f32::MIN_POSITIVE;

impl Accepted {
    /// What Accept-Encoding says (RFC 9110, 12.5.3), in one header or several.
    ///
    /// Nobody gets a coding that he has not asked for, by name or by `*`; identity is taken by all who do not refuse
    /// it. Of what is said twice the first holds, and an element with a quality that is none is passed over.
    pub(super) fn read(headers: &HeaderMap) -> Self {
        let mut said = [None; Coding::ALL.len()];
        let mut of_others = None;
        let values = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
        for element in values.flat_map(|value| value.split(',')) {
            let (name, parameters) = element.split_once(';').unwrap_or((element, ""));
            let Some(quality) = quality(parameters) else { continue };
            let name = name.trim();
            if name == "*" {
                of_others.get_or_insert(quality);
            } else if let Some(coding) = Coding::named(name) {
                said[coding as usize].get_or_insert(quality);
            }
        }
        let unsaid = |coding| if coding == Coding::Identity { UNSAID } else { 0.0 };
        Self { qualities: Coding::ALL.map(|coding| said[coding as usize].or(of_others).unwrap_or(unsaid(coding))) }
    }

    /// Whether `coding` is good enough.
    pub(super) fn accepts(&self, coding: Coding) -> bool {
        self.qualities[coding as usize] > 0.0
    }

    /// What is good enough, the best first.
    pub(super) fn best_first(&self) -> impl Iterator<Item = Coding> {
        let mut codings = Coding::ALL;
        // Stable, so that ours is the order of those that are as good.
        codings.sort_by(|left, right| self.qualities[*right as usize].total_cmp(&self.qualities[*left as usize]));
        codings.into_iter().filter(|coding| self.accepts(*coding))
    }

    /// The best; identity where nothing is good enough. RFC 9110, 12.5.3 would have no answer then, or 406 and what is
    /// wrong in plain JSON, which is no better to a client that takes no plain bytes, and worse to one that does.
    pub(super) fn best(&self) -> Coding {
        self.best_first().next().unwrap_or(Coding::Identity)
    }
}

/// The value of `q`, 1 where there is none; none where it is no quality (RFC 9110, 12.4.2).
pub(super) fn quality(parameters: &str) -> Option<f32> {
    let mut named = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let Some((_, value)) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("q")) else { return Some(1.0) };
    let value = value.trim();
    let is_plain = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    value.parse().ok().filter(|quality| is_plain && (0.0..=1.0).contains(quality))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_stands_at_its_own_place() {
        assert!(Coding::ALL.iter().enumerate().all(|(position, coding)| *coding as usize == position));
    }

    #[test]
    fn codings_are_taken_by_quality_and_then_by_our_order() {
        use Coding::{Brotli, Gzip, Identity, Zstd};
        for (values, codings) in [
            (&[][..], &[Identity][..]),
            (&[""], &[Identity]),
            (&["gzip"], &[Gzip, Identity]),
            (&["gzip, deflate, br, zstd"], &[Zstd, Brotli, Gzip, Identity]),
            (&["gzip;q=1, br;q=0.9, zstd;q=0.8"], &[Gzip, Brotli, Zstd, Identity]),
            (&["zstd;q=0.001, br;q=0.002"], &[Brotli, Zstd, Identity]),
            (&["identity;q=1, gzip;q=0.5"], &[Identity, Gzip]),
            (&["identity, gzip"], &[Gzip, Identity]),
            (&["identity;q=0, gzip"], &[Gzip]),
            (&["*"], &[Zstd, Brotli, Gzip, Identity]),
            (&["*;q=0"], &[]),
            (&["*;q=0, br;q=0.1"], &[Brotli]),
            (&["*;q=0, identity"], &[Identity]),
            (&["gzip;q=0.2, *;q=0.1"], &[Gzip, Zstd, Brotli, Identity]),
            (&["gzip;q=0, *"], &[Zstd, Brotli, Identity]),
            (&["br", "gzip;q=0.5"], &[Brotli, Gzip, Identity]),
            (&["X-GZip"], &[Gzip, Identity]),
            (&[" BR ;\tQ=0.5 ,, ZSTD ; q = 0.4,"], &[Brotli, Zstd, Identity]),
            (&["br;q=0.5;q=1, zstd;level=9;q=0.6"], &[Zstd, Brotli, Identity]),
            (&["gzip;q=0, gzip, x-gzip"], &[Identity]),
            (&["deflate, compress, gzipped, xgzip, zst"], &[Identity]),
            (&["br;q=1.1, gzip;q=-1, zstd;q=x"], &[Identity]),
            (&["br;q=nan, gzip;q=inf, zstd;q=1e-3"], &[Identity]),
            (&["br;q=, gzip;q=., zstd;q"], &[Zstd, Identity]),
            (&["br;q=1., gzip;q=0.5555"], &[Brotli, Gzip, Identity]),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::ACCEPT_ENCODING, value.parse().unwrap());
            }
            let accepted = Accepted::read(&headers);
            assert_eq!(accepted.best_first().collect::<Vec<_>>(), codings, "{values:?}");
            assert_eq!(accepted.best(), *codings.first().unwrap_or(&Identity), "{values:?}");
        }
    }
}
