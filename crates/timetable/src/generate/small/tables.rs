//! Port Linden, a harbour town that does not exist: its stops and routes.

use crate::generate::city::{ExactTimes, Mode};

/// Stations, which have a platform for each direction: code, name, and the place in ten-thousandths of a degree north
/// and west.
pub(super) const STATIONS: &str = "\
centl|Central Station|441020|691100
mrket|Market Square|441035|691080
cthdl|Cathedral|441052|691062
opera|Opera House|441068|691049
unvty|University|441090|691040
botgd|Botanical Garden|441112|691030
hosp|General Hospital|441131|691014
nrthg|Northgate|441155|691003
lindn|Linden Park|441180|690990
hillc|Hill Crest|441205|690978
oldhb|Old Harbour|441008|691062
fishm|Fish Market|440998|691041
shpyd|Shipyard|440984|691018
lghth|Lighthouse|440969|690992
canal|Canal Street|441030|691128
brewy|Brewery Quarter|441041|691160
stadm|Stadium|441049|691192
mills|Three Mills|441060|691224
westd|Westend|441072|691257
airpt|Port Linden Airport|440931|691290
ferry|Ferry Terminal|441001|691052
islnd|Gull Island|440930|690930
sands|Long Sands|440880|690985
fnclr|Funicular Valley|441096|691064
";

/// Stops at the roadside, one for both directions; the same columns. Those without a code have no planned times.
pub(super) const ROADSIDE: &str = "\
libry|Public Library|441044|691096
|Elm Street|441058|691111
|Orchard Lane|441071|691127
schol|High School|441083|691143
|Mill Pond|441092|691166
|Cooper's Bridge|441098|691190
quary|Quarry Road|441106|691212
|Rose Garden|441021|691068
|Customs House|441012|691079
|Ropewalk|441000|691090
glass|Glassworks|440990|691110
|Tannery Row|440996|691130
|St. Anne's, Lower Gate|441009|691139
|Windmill Lane|441122|691052
|Observatory|441139|691060
topst|Upper Hill|441103|691075
|Cedar Avenue|441168|691030
|Juniper Court|441176|691052
frstd|Forest Edge|441190|691075
|Meadow View|440967|691150
|Freight Yard|440955|691190
|Cargo Village|440943|691240
";

/// Which stops follow one another, how often, and when.
pub(super) struct Line {
    pub(super) id: &'static str,
    pub(super) short_name: &'static str,
    pub(super) long_name: &'static str,
    pub(super) mode: Mode,
    pub(super) color: &'static str,
    pub(super) text_color: &'static str,
    /// Names of stops in the order of direction 0, parted by `|`.
    pub(super) stops: &'static str,
    pub(super) ways: Ways,
    /// The first and the last departure, in minutes of the service day.
    pub(super) first_minute: u32,
    pub(super) last_minute: u32,
    /// Minutes between departures on weekdays, Saturdays and Sundays; 0 for none.
    pub(super) headway_minutes: [u32; 3],
    pub(super) runs_by: RunsBy,
}

/// In which directions a line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    /// There and back.
    Both,
    /// Round and round: it ends where it began.
    Loop,
}

/// What tells riders when trips depart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunsBy {
    /// Each trip has its own stop times.
    StopTimes,
    /// One trip stands for all, and frequencies.txt has their headways.
    Frequencies(ExactTimes),
}

/// All lines.
pub(super) const LINES: &[Line] = &[
    Line {
        id: "T1",
        short_name: "1",
        long_name: "Hill Crest - Central Station - Lighthouse",
        mode: Mode::LightRail,
        color: "C8102E",
        text_color: "FFFFFF",
        stops: "Hill Crest|Linden Park|Northgate|General Hospital|Botanical Garden|University|Opera House|Cathedral|\
                Market Square|Central Station|Old Harbour|Fish Market|Shipyard|Lighthouse",
        ways: Ways::Both,
        first_minute: 290,
        last_minute: 1510,
        headway_minutes: [30, 40, 60],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "T2",
        short_name: "2",
        long_name: "Westend - Central Station - University",
        mode: Mode::LightRail,
        color: "00629B",
        text_color: "FFFFFF",
        stops: "Westend|Three Mills|Stadium|Brewery Quarter|Canal Street|Central Station|Market Square|Cathedral|\
                Opera House|University",
        ways: Ways::Both,
        first_minute: 295,
        last_minute: 1500,
        headway_minutes: [30, 40, 60],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "14",
        short_name: "14",
        long_name: "Market Square - Quarry Road",
        mode: Mode::Bus,
        color: "FFC72C",
        text_color: "000000",
        stops: "Market Square|Public Library|Elm Street|Orchard Lane|High School|Mill Pond|Cooper's Bridge|Quarry Road",
        ways: Ways::Both,
        first_minute: 330,
        last_minute: 1380,
        headway_minutes: [30, 40, 60],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "20",
        short_name: "20",
        long_name: "Harbour Loop",
        mode: Mode::Bus,
        color: "78BE20",
        text_color: "000000",
        stops: "Central Station|Rose Garden|Customs House|Ferry Terminal|Ropewalk|Glassworks|Tannery Row|\
                St. Anne's, Lower Gate|Canal Street|Central Station",
        ways: Ways::Loop,
        first_minute: 360,
        last_minute: 1320,
        headway_minutes: [30, 30, 60],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "31",
        short_name: "31",
        long_name: "General Hospital - Forest Edge",
        mode: Mode::Bus,
        color: "FFC72C",
        text_color: "000000",
        stops: "General Hospital|Windmill Lane|Observatory|Cedar Avenue|Juniper Court|Forest Edge",
        ways: Ways::Both,
        first_minute: 345,
        last_minute: 1200,
        headway_minutes: [30, 60, 0],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "N1",
        short_name: "N1",
        long_name: "Night bus Northgate - Central Station - Westend",
        mode: Mode::Bus,
        color: "1D1D4E",
        text_color: "FFFFFF",
        stops: "Northgate|General Hospital|University|Opera House|Market Square|Central Station|Canal Street|\
                Brewery Quarter|Stadium|Westend",
        ways: Ways::Both,
        first_minute: 1470,
        last_minute: 1710,
        headway_minutes: [60, 30, 60],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "F",
        short_name: "F",
        long_name: "Ferry Terminal - Gull Island - Long Sands",
        mode: Mode::Ferry,
        color: "008EAA",
        text_color: "FFFFFF",
        stops: "Ferry Terminal|Gull Island|Long Sands",
        ways: Ways::Both,
        first_minute: 390,
        last_minute: 1260,
        headway_minutes: [60, 45, 45],
        runs_by: RunsBy::StopTimes,
    },
    Line {
        id: "A",
        short_name: "A",
        long_name: "Airport Shuttle",
        mode: Mode::Bus,
        color: "7C878E",
        text_color: "FFFFFF",
        stops: "Central Station|Glassworks|Meadow View|Freight Yard|Cargo Village|Port Linden Airport",
        ways: Ways::Both,
        first_minute: 270,
        last_minute: 1470,
        headway_minutes: [10, 15, 15],
        runs_by: RunsBy::Frequencies(ExactTimes::HeadwayOnly),
    },
    Line {
        id: "FUN",
        short_name: "Funicular",
        long_name: "Funicular Valley - Upper Hill",
        mode: Mode::Funicular,
        color: "A05EB5",
        text_color: "FFFFFF",
        stops: "Funicular Valley|Upper Hill",
        ways: Ways::Both,
        first_minute: 420,
        last_minute: 1320,
        headway_minutes: [12, 15, 15],
        runs_by: RunsBy::Frequencies(ExactTimes::Schedule),
    },
];
