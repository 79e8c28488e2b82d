//! Where a feed comes from, and how that is shown.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use http::Uri;

/// Where a feed comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The city that is built in.
    City,
    /// A zip or a folder.
    Path(PathBuf),
    /// A zip that is downloaded.
    Url(FeedUrl),
}

/// What begins as a URL of HTTP does is one, anything else is a path.
impl From<OsString> for Source {
    fn from(argument: OsString) -> Self {
        match argument.to_str() {
            Some(text) if FeedUrl::is_one(text) => Self::Url(FeedUrl(text.to_owned())),
            _ => Self::Path(argument.into()),
        }
    }
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(argument: &str) -> Result<Self, Infallible> {
        Ok(OsString::from(argument).into())
    }
}

/// As the user said it, but for what a URL may hold that is nobody else's business.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::City => f.write_str("the built-in city"),
            Self::Path(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}

/// The URL of a zip. It may hold a password or a key, so it is shown without user, query and fragment.
#[derive(Clone, PartialEq, Eq)]
pub struct FeedUrl(String);

impl FeedUrl {
    /// Whether a text begins as a URL of HTTP does.
    fn is_one(text: &str) -> bool {
        let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
        begins("http://") || begins("https://")
    }

    /// The URL with all that it holds; none when it makes no sense.
    pub(super) fn find_uri(&self) -> Option<Uri> {
        let uri: Uri = self.0.parse().ok()?;
        // What stands after the host and is no port may be a password with a slash in it.
        let authority = uri.authority()?;
        let after_user = authority.as_str().rsplit('@').next()?;
        let after_host = after_user.strip_prefix(authority.host())?;
        // Of `user:p@ss/w@host/` the host seems to be `ss`: that would be asked, and shown, with a part of a password.
        let at_count = |text: &str| text.matches('@').count();
        let user_at_count = at_count(authority.as_str());
        let is_ambiguous = user_at_count > 0 && at_count(&self.0) > user_at_count;
        let is_port = |rest: &str| rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
        let is_right = !authority.host().is_empty() && (after_host.is_empty() || is_port(after_host));
        (is_right && !is_ambiguous).then_some(uri)
    }
}

/// Scheme, host, port and path; only the scheme of what is no URL, since nobody knows where in it a password stands.
impl fmt::Display for FeedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(uri) = self.find_uri() else {
            let (scheme, _) = self.0.split_once(':').unwrap_or(("http", ""));
            return write!(f, "{scheme}://…");
        };
        write!(f, "{}://{}", uri.scheme_str().unwrap_or("http"), uri.host().unwrap_or_default())?;
        if let Some(port) = uri.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(uri.path())
    }
}

impl fmt::Debug for FeedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeedUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_what_may_be_a_secret() {
        for (url, shown) in [
            ("https://a.example/feed.zip", "https://a.example/feed.zip"),
            ("http://user:secret@a.example:81/feed.zip?key=secret", "http://a.example:81/feed.zip"),
            ("HTTPS://a.example/feed.zip#secret", "https://a.example/feed.zip"),
            ("https://secret@[::1]:8080", "https://[::1]:8080/"),
            ("https://user:sec/ret@a.example/feed.zip", "https://…"),
            ("https://user:se cret@a.example/feed.zip", "https://…"),
            ("https://user:p@secret/w@a.example/feed.zip", "https://…"),
            ("https://user:p@secret?w@a.example/feed.zip", "https://…"),
            ("https://user:p@secret#w@a.example/feed.zip", "https://…"),
            ("https://user:sec@secret@a.example/feed.zip", "https://a.example/feed.zip"),
            ("https://user:sec%40secret@a.example/feed.zip", "https://a.example/feed.zip"),
            ("https://a.example/feed@2.zip?by=a@b", "https://a.example/feed@2.zip"),
        ] {
            let source: Source = url.parse().unwrap();
            assert_eq!(source.to_string(), shown, "{url}");
            assert!(!format!("{source:?}").contains("secret"), "{source:?}");
            assert!(matches!(source, Source::Url(_)), "{url}");
        }
    }

    #[test]
    fn what_is_no_url_is_a_path() {
        for path in ["gtfs.zip", "https", "https:/a", "ftp://a/b.zip", "./http://a", ""] {
            assert_eq!(path.parse(), Ok(Source::Path(path.into())));
        }
    }
}
