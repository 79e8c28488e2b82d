//! The routes that the load scripts of the public challenge ask for (github.com/losvedir/transit-lang-cmp).

/// The 99 routes of its main load script, with spaces between them: subway, trolleys, commuter rail, boats, buses.
pub(crate) const LARGE: &str = "\
    Mattapan Orange Green-B Green-C Green-D Green-E Blue 741 742 743 751 749 746 CR-Fairmount CR-Fitchburg \
    CR-Worcester CR-Franklin CR-Greenbush CR-Haverhill CR-Kingston CR-Lowell CR-Middleborough CR-Needham \
    CR-Newburyport CR-Providence CR-Foxboro Boat-F4 Boat-F1 Boat-EastBoston 747 708 1 4 7 8 9 10 11 14 15 16 17 \
    18 19 21 22 23 24 26 28 29 30 31 32 33 34 34E 35 36 37 38 39 40 41 42 43 44 45 47 50 51 52 55 57 59 60 61 62 \
    627 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 83 84 85";

/// The 23 routes of its load script of small answers, with spaces between them.
pub(crate) const SMALL: &str = "\
    CR-Fairmount CR-Fitchburg CR-Worcester CR-Franklin CR-Greenbush CR-Haverhill CR-Kingston CR-Lowell \
    CR-Middleborough CR-Needham CR-Newburyport CR-Providence CR-Foxboro Boat-F4 Boat-F1 Boat-EastBoston 121 201 \
    202 210 245 351 354";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_list_names_as_many_routes_as_its_script_and_none_twice() {
        for (list, count) in [(LARGE, 99), (SMALL, 23)] {
            assert_eq!(list.split_whitespace().count(), count);
            assert_eq!(list.split_whitespace().collect::<HashSet<_>>().len(), count);
        }
    }
}
