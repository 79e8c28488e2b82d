//! Services: for each garage or line, and for each of MBTA's quarterly timetables, the days of the week.

use std::collections::BTreeMap;

use crate::generate::city::{Exception, Service};

/// A timetable that is in force for a season, as MBTA numbers them: 1 winter, 2 spring, 3 summer, 4 fall.
pub(super) struct Season {
    /// `1` to `4` and the year, such as `32022`.
    code: &'static str,
    name: &'static str,
    first_date: u32,
    last_date: u32,
    /// Holidays, none on a weekend: date and name.
    holidays: &'static [(u32, &'static str)],
    /// Weekdays without school.
    school_closed: &'static [u32],
}

/// The seasons of `mbta-2022`.
pub(super) const SEASONS_2022: &[Season] = &[
    Season {
        code: "32022",
        name: "SUMMER22",
        first_date: 20220626,
        last_date: 20220827,
        holidays: &[(20220704, "Independence Day")],
        school_closed: &[20220705, 20220826],
    },
    Season {
        code: "42022",
        name: "FALL22",
        first_date: 20220828,
        last_date: 20221217,
        holidays: &[(20220905, "Labor Day"), (20221010, "Indigenous Peoples' Day"), (20221124, "Thanksgiving Day")],
        school_closed: &[20221111, 20221123, 20221125],
    },
];

/// The seasons of `mbta-2026`: today's feed looks further ahead.
pub(super) const SEASONS_2026: &[Season] = &[
    Season {
        code: "42025",
        name: "FALL25",
        first_date: 20250824,
        last_date: 20251213,
        holidays: &[(20250901, "Labor Day"), (20251127, "Thanksgiving Day")],
        school_closed: &[20251010, 20251126, 20251128],
    },
    Season {
        code: "12026",
        name: "WINTER26",
        first_date: 20251214,
        last_date: 20260404,
        holidays: &[(20251225, "Christmas Day"), (20260101, "New Year's Day"), (20260216, "Presidents' Day")],
        school_closed: &[20251224, 20251231, 20260217],
    },
    Season {
        code: "22026",
        name: "SPRING26",
        first_date: 20260405,
        last_date: 20260627,
        holidays: &[(20260525, "Memorial Day"), (20260619, "Juneteenth")],
        school_closed: &[20260421, 20260422],
    },
    Season {
        code: "32026",
        name: "SUMMER26",
        first_date: 20260628,
        last_date: 20260829,
        holidays: &[(20260703, "Independence Day (observed)")],
        school_closed: &[20260706, 20260828],
    },
    Season {
        code: "42026",
        name: "FALL26",
        first_date: 20260830,
        last_date: 20261219,
        holidays: &[(20260907, "Labor Day"), (20261126, "Thanksgiving Day")],
        school_closed: &[20261111, 20261125, 20261127],
    },
    Season {
        code: "12027",
        name: "WINTER27",
        first_date: 20261220,
        last_date: 20270403,
        holidays: &[(20261225, "Christmas Day"), (20270101, "New Year's Day"), (20270215, "Presidents' Day")],
        school_closed: &[20261224, 20261231, 20270216],
    },
];

/// Which days a trip is made for; holidays have Sunday's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DayKind {
    /// Monday to Friday.
    Weekday,
    /// Saturday; for trains the whole weekend.
    Saturday,
    /// Sunday and holidays.
    Sunday,
}

const WEEKDAYS: &str = "1,1,1,1,1,0,0";
const SATURDAY: &str = "0,0,0,0,0,1,0";
const SUNDAY: &str = "0,0,0,0,0,0,1";
const WEEKEND: &str = "0,0,0,0,0,1,1";
const ONLY_BY_DATE: &str = "0,0,0,0,0,0,0";

/// All services, and who has which.
pub(super) struct Services {
    pub(super) all: Vec<Service>,
    by_day: BTreeMap<(char, DayKind), Vec<u32>>,
}

impl Services {
    /// The services of all groups in all seasons.
    pub(super) fn new(seasons: &[Season], groups: &[char]) -> Self {
        let mut services = Self { all: Vec::new(), by_day: BTreeMap::new() };
        for &group in groups {
            for (service, day) in seasons.iter().flat_map(|season| season_services(season, group)) {
                services.by_day.entry((group, day)).or_default().push(services.all.len() as u32);
                services.all.push(service);
            }
        }
        services
    }

    /// The services of a group for a kind of day, perhaps none.
    pub(super) fn of(&self, group: char, day: DayKind) -> &[u32] {
        self.by_day.get(&(group, day)).map_or(&[], Vec::as_slice)
    }
}

fn season_services(season: &Season, group: char) -> Vec<(Service, DayKind)> {
    let number = &season.code[..1];
    let id = |kind: &str, day: &str| match group {
        'N' => format!("{}-NORTH{kind}-{day}", season.name),
        'S' => format!("{}-SOUTH{kind}-{day}", season.name),
        'B' => format!("Boat-{}-{kind}-{day}", season.name),
        'r' => format!("RTL{}-hms{number}{kind}-{day}", season.code),
        garage => format!("BUS{}-hb{garage}{number}{kind}-{day}", season.code),
    };
    let service = |id: String, days: &'static str, exceptions: Vec<(u32, Exception, &'static str)>| Service {
        id,
        days,
        first_date: season.first_date,
        last_date: season.last_date,
        exceptions,
    };
    let on_holidays = |exception| season.holidays.iter().map(move |&(date, name)| (date, exception, name));
    let without_school = |exception| season.school_closed.iter().map(move |&date| (date, exception, ""));
    let holidays_removed = || on_holidays(Exception::Removed).collect::<Vec<_>>();
    if matches!(group, 'N' | 'S' | 'B') {
        return vec![
            (service(id("WKD", "Weekday-01"), WEEKDAYS, holidays_removed()), DayKind::Weekday),
            (service(id("WKND", "Weekend-01"), WEEKEND, on_holidays(Exception::Added).collect()), DayKind::Saturday),
        ];
    }
    let school_days = on_holidays(Exception::Removed).chain(without_school(Exception::Removed)).collect();
    vec![
        (service(id("2011", "Weekday-02"), WEEKDAYS, school_days), DayKind::Weekday),
        (service(id("2ns1", "Weekday-02"), ONLY_BY_DATE, without_school(Exception::Added).collect()), DayKind::Weekday),
        (service(id("2016", "Saturday-02"), SATURDAY, Vec::new()), DayKind::Saturday),
        (service(id("2017", "Sunday-02"), SUNDAY, Vec::new()), DayKind::Sunday),
        (service(id("2hl7", "Sunday-02"), ONLY_BY_DATE, on_holidays(Exception::Added).collect()), DayKind::Sunday),
    ]
}

/// The first and the last date of all `seasons`.
pub(super) fn period(seasons: &[Season]) -> (u32, u32) {
    let first = seasons.iter().map(|season| season.first_date).min().unwrap_or_default();
    (first, seasons.iter().map(|season| season.last_date).max().unwrap_or_default())
}
