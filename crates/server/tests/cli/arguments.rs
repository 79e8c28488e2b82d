//! Help, versions, and arguments that are none.

use crate::run;
use crate::server::program;

#[test]
fn each_command_has_help_that_names_its_defaults() {
    let commands: [(&[&str], &[&str]); 5] = [
        (&[], &["serve", "departures, stops, routes", "check", "generate", "Exit codes: 0", "LINESPEED_LOG"]),
        (
            &["serve"],
            &[
                "[FEED]",
                "--http",
                "[default: 127.0.0.1:4000]",
                "LINESPEED_HTTP",
                "--compressed-cache-mib",
                "[default: 32]",
                "--connections-max",
                "[default: 10000]",
                "LINESPEED_CONNECTIONS_MAX",
                "--connections-per-address-max <N>",
                "[default: 256]",
                "--head-bytes-max <BYTES>",
                "[default: 16384]",
                "--target-bytes-max <BYTES>",
                "[default: 8192]",
                "--header-fields-max <N>",
                "[default: 100]",
                "--body-bytes-max <BYTES>",
                "[default: 65536]",
                "--request-time-max <TIME>",
                "[default: 10s]",
                "--idle-time-max <TIME>",
                "[default: 60s]",
                "--write-time-max <TIME>",
                "[default: 30s]",
                "--response-time-max <TIME>",
                "[default: 10m]",
                "LINESPEED_RESPONSE_TIME_MAX",
                "--drain-time <TIME>",
                "LINESPEED_DRAIN_TIME",
                "a second one stops at once",
                "/readyz",
            ],
        ),
        (&["check"], &["<FEED>", "--format", "[default: text]", "json", "Exit codes: 0"]),
        (&["generate"], &["feed"]),
        (&["generate", "feed"], &["--like", "[default: small]", "mbta-2022", "--seed", "[default: 1]", "<OUT>"]),
    ];
    for (command, words) in commands {
        let long = run(command.iter().chain(&["--help"]));
        long.assert_code(0);
        assert_eq!(long.standard_error, "");
        println!("where lines are broken is no matter");
        let text = long.standard_output.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(text.contains(word), "{word:?} is not in {text}");
        }
        println!("the short help is no error either");
        run(command.iter().chain(&["-h"])).assert_code(0);
    }
}

#[test]
fn the_version_is_told() {
    let said = run(["--version"]);
    said.assert_code(0);
    assert_eq!(said.standard_output, format!("linespeed {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_arguments_are_refused_with_what_is_expected() {
    let cases: [(&[&str], &str); 21] = [
        (&["serve", "--prot", "80"], "--prot"),
        (&["check", "--format"], "--format"),
        (&["check", "--format", "yaml", "x"], "json"),
        (&["check"], "<FEED>"),
        (&["check", "a", "b"], "'b'"),
        (&["--verbose"], "--verbose"),
        (&["sevre"], "serve"),
        (&["serve", "--http", "4000"], "such as 127.0.0.1:4000"),
        (&["serve", "--http", "127.0.0.1:65536"], "127.0.0.1:65536"),
        (&["serve", "--http", "localhost"], "such as 127.0.0.1:4000"),
        (&["serve", "--compressed-cache-mib", "-1"], "-1"),
        (&["serve", "--connections-max", "0"], "1.."),
        (&["serve", "--connections-per-address-max", "0"], "1.."),
        (&["serve", "--head-bytes-max", "65537"], "256..=65536"),
        (&["serve", "--header-fields-max", "x"], "'x'"),
        (&["serve", "--idle-time-max", "60"], "60s, 300ms or 1m30s"),
        (&["serve", "--drain-time", "0s"], "from 1ns to 24h"),
        (&["serve", "--refresh", "99ms"], "from 100ms to 24h"),
        (&["check", "--download-time-max", "9223372036854775807s", "x"], "from 1ns to 24h"),
        (&["check", "--download-pause", "25h", "x"], "from 1ns to 24h"),
        (&["generate", "feed", "--like", "paris", "out"], "mbta-2022"),
    ];
    for (arguments, word) in cases {
        let said = run(arguments);
        said.assert_code(2);
        assert_eq!(said.standard_output, "");
        assert!(said.standard_error.contains(word), "{word:?} is not in {}", said.standard_error);
    }
}

#[test]
fn a_wrong_log_level_is_told_with_what_is_expected() {
    for (value, is_wrong) in [("debgu", true), ("linespeed=loud", true), ("warn", false), ("", false)] {
        let output = program().env("LINESPEED_LOG", value).args(["check", "/no/such/feed"]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let is_told = text.contains(&format!("LINESPEED_LOG is {value:?}")) && text.contains("LINESPEED_LOG=debug");
        assert_eq!(is_told, is_wrong, "{text}");
        assert_eq!(output.status.code(), Some(2), "the command is done, or not, all the same");
    }
}

#[test]
fn no_command_at_all_shows_what_there_is() {
    let said = run([""; 0]);
    said.assert_code(2);
    assert!(said.standard_error.contains("serve") && said.standard_error.contains("check"));
}
