//! The lines that run on rails and water: their stations in order, and where those lie.

use crate::generate::city::Mode;

/// A line as it is written below.
pub(super) struct Line {
    /// The route's id.
    pub(super) id: &'static str,
    /// What riders call it.
    pub(super) name: &'static str,
    /// What runs on it.
    pub(super) mode: Mode,
    /// Which services its trips belong to, see `services`.
    pub(super) group: char,
    /// Trips of a weekday in both directions: its share of all trips, as in `bus_routes`.
    pub(super) weekday_trips: u32,
    /// `RRGGBB`.
    pub(super) color: &'static str,
    /// What the ids of its platforms begin with; rapid transit has numbers instead.
    pub(super) platform_prefix: &'static str,
    /// Its branches, one a line, each the stations of direction 0 in order, parted by `|`.
    ///
    /// A station that fixes the course has `@` and its place in ten-thousandths of a degree north and west; those
    /// between two such lie evenly on the line between them. A station is known by its name across all lines.
    pub(super) branches: &'static str,
}

/// Rapid transit, trams, commuter rail and boats, in the order of routes.txt.
pub(super) const LINES: &[Line] = &[
    rapid("Red", "Red Line", Mode::Subway, 640, "DA291C", RED),
    rapid("Mattapan", "Mattapan Trolley", Mode::LightRail, 210, "DA291C", MATTAPAN),
    rapid("Orange", "Orange Line", Mode::Subway, 460, "ED8B00", ORANGE),
    rapid("Green-B", "Green Line B", Mode::LightRail, 420, "00843D", GREEN_B),
    rapid("Green-C", "Green Line C", Mode::LightRail, 290, "00843D", GREEN_C),
    rapid("Green-D", "Green Line D", Mode::LightRail, 300, "00843D", GREEN_D),
    rapid("Green-E", "Green Line E", Mode::LightRail, 280, "00843D", GREEN_E),
    rapid("Blue", "Blue Line", Mode::Subway, 340, "003DA5", BLUE),
    rail("CR-Fairmount", "Fairmount Line", 'S', 42, "DB", FAIRMOUNT),
    rail("CR-Fitchburg", "Fitchburg Line", 'N', 34, "FR", FITCHBURG),
    rail("CR-Worcester", "Framingham/Worcester Line", 'S', 46, "WML", WORCESTER),
    rail("CR-Franklin", "Franklin/Foxboro Line", 'S', 38, "FB", FRANKLIN),
    rail("CR-Greenbush", "Greenbush Line", 'S', 24, "GRB", GREENBUSH),
    rail("CR-Haverhill", "Haverhill Line", 'N', 30, "WR", HAVERHILL),
    rail("CR-Kingston", "Kingston Line", 'S', 24, "KB", KINGSTON),
    rail("CR-Lowell", "Lowell Line", 'N', 40, "NHRML", LOWELL),
    rail("CR-Middleborough", "Middleborough/Lakeville Line", 'S', 24, "MM", MIDDLEBOROUGH),
    rail("CR-Needham", "Needham Line", 'S', 32, "NB", NEEDHAM),
    rail("CR-Newburyport", "Newburyport/Rockport Line", 'N', 60, "ER", NEWBURYPORT),
    rail("CR-Providence", "Providence/Stoughton Line", 'S', 64, "NEC", PROVIDENCE),
    rail("CR-Foxboro", "Foxboro Event Service", 'S', 9, "FS", FOXBORO),
    boat("Boat-F4", "Charlestown Ferry", 46, CHARLESTOWN),
    boat("Boat-F1", "Hingham/Hull Ferry", 34, HINGHAM),
    boat("Boat-EastBoston", "East Boston Ferry", 40, EAST_BOSTON),
];

const fn rapid(
    id: &'static str,
    name: &'static str,
    mode: Mode,
    weekday_trips: u32,
    color: &'static str,
    branches: &'static str,
) -> Line {
    Line { id, name, mode, group: 'r', weekday_trips, color, platform_prefix: "", branches }
}

const fn rail(
    id: &'static str,
    name: &'static str,
    group: char,
    weekday_trips: u32,
    platform_prefix: &'static str,
    branches: &'static str,
) -> Line {
    Line { id, name, mode: Mode::CommuterRail, group, weekday_trips, color: "80276C", platform_prefix, branches }
}

const fn boat(id: &'static str, name: &'static str, weekday_trips: u32, branches: &'static str) -> Line {
    Line { id, name, mode: Mode::Ferry, group: 'B', weekday_trips, color: "008EAA", platform_prefix: "Boat", branches }
}

const RED: &str = "Alewife@423954,711424|Davis@423967,711218|Porter@423884,711191|Harvard@423734,711189|\
Central@423655,711038|Kendall/MIT@423625,710863|Charles/MGH@423612,710706|Park Street@423564,710624|\
Downtown Crossing@423555,710602|South Station@423523,710552|Broadway@423426,710569|Andrew@423302,710573|\
JFK/UMass@423207,710524|Savin Hill@423110,710534|Fields Corner@423001,710617|Shawmut@422931,710657|\
Ashmont@422847,710638
Alewife|Davis|Porter|Harvard|Central|Kendall/MIT|Charles/MGH|Park Street|Downtown Crossing|South Station|Broadway|\
Andrew|JFK/UMass|North Quincy@422753,710299|Wollaston@422665,710203|Quincy Center@422518,710050|\
Quincy Adams@422334,710071|Braintree@422079,710014";

const MATTAPAN: &str = "Ashmont|Cedar Grove|Butler|Milton@422701,710677|Central Avenue|Valley Road|Capen Street|\
Mattapan@422676,710924";

const ORANGE: &str = "Forest Hills@423005,711139|Green Street|Stony Brook|Jackson Square@423231,710996|\
Roxbury Crossing@423314,710954|Ruggles@423364,710894|Massachusetts Avenue|Back Bay@423473,710757|\
Tufts Medical Center@423497,710639|Chinatown|Downtown Crossing|State@423588,710577|Haymarket@423630,710583|\
North Station@423656,710613|Community College|Sullivan Square@423840,710770|Assembly@423928,710772|\
Wellington@424024,710771|Malden Center@424267,710743|Oak Grove@424367,710711";

const GREEN_B: &str = "Government Center@423597,710592|Park Street@423564,710624|Boylston|Arlington@423519,710708|\
Copley@423500,710774|Hynes Convention Center|Kenmore@423489,710951|Blandford Street|Boston University East|\
Boston University Central|Amory Street|Babcock Street|Packards Corner@423517,711165|Harvard Avenue|Griggs Street|\
Allston Street|Warren Street@423483,711403|Washington Street|Sutherland Road|Chiswick Road|Chestnut Hill Avenue|\
South Street|Boston College@423401,711669";

const GREEN_C: &str = "Government Center|Park Street|Boylston|Arlington|Copley|Hynes Convention Center|Kenmore|\
Saint Marys Street|Hawes Street|Kent Street|Saint Paul Street|Coolidge Corner@423422,711212|Summit Avenue|\
Brandon Hall|Fairbanks Street|Washington Square|Tappan Street|Dean Road|Englewood Avenue|\
Cleveland Circle@423362,711491";

const GREEN_D: &str = "North Station|Haymarket|Government Center|Park Street|Boylston|Arlington|Copley|\
Hynes Convention Center|Kenmore|Fenway|Longwood|Brookline Village@423326,711168|Brookline Hills|Beaconsfield|\
Reservoir@423351,711488|Chestnut Hill|Newton Centre|Newton Highlands@423225,712055|Eliot|Waban|Woodland|\
Riverside@423373,712522";

const GREEN_E: &str = "Union Square@423776,710946|Lechmere@423709,710770|Science Park/West End|North Station|Haymarket|\
Government Center|Park Street|Boylston|Arlington|Copley|Prudential|Symphony@423427,710851|Northeastern University|\
Museum of Fine Arts|Longwood Medical Area@423386,711057|Brigham Circle@423342,711046|Fenwood Road|Mission Park|\
Riverway|Back of the Hill|Heath Street@423287,711105";

const BLUE: &str = "Bowdoin@423614,710620|Government Center|State|Aquarium@423598,710517|Maverick@423691,710395|\
Airport@423743,710304|Wood Island@423796,710229|Orient Heights@423869,710047|Suffolk Downs|\
Beachmont@423975,709923|Revere Beach@424078,709925|Wonderland@424134,709917";

const FAIRMOUNT: &str = "South Station|Newmarket|Uphams Corner@423188,710693|Four Corners/Geneva|Talbot Avenue|\
Morton Street|Blue Hill Avenue|Fairmount@422536,711196|Readville@422384,711326";

const FITCHBURG: &str = "North Station|Porter|Belmont Center@423962,711766|Waverley@423882,711901|\
Waltham@423751,712363|Brandeis/Roberts|Kendal Green|Lincoln@424137,713254|Concord@424566,713578|\
West Concord|South Acton|\
Littleton/Route 495@425192,715020|Ayer@425598,715888|Shirley|North Leominster|Fitchburg@425810,717927|\
Wachusett@425530,718485";

const WORCESTER: &str = "South Station|Back Bay|Lansdowne@423474,710998|Boston Landing|Newtonville@423517,712054|\
West Newton|Auburndale@423458,712504|Wellesley Farms|Wellesley Hills|Wellesley Square@422974,712944|Natick Center|\
West Natick|Framingham@422761,714200|Ashland@422615,714821|Southborough|Westborough@422695,716470|Grafton|\
Worcester@422611,717946";

const FRANKLIN: &str = "South Station|Back Bay|Ruggles|Readville|Endicott@422333,711584|Dedham Corporate Center|\
Islington|Norwood Depot|Norwood Central@421887,711995|Windsor Gardens|Plimptonville|Walpole@421456,712576|Norfolk|\
Franklin@420836,713967|Forge Park/495@420901,714393
South Station|Back Bay|Ruggles|Readville|Dedham Corporate Center|Norwood Central|Walpole|Foxboro@420951,712615";

const GREENBUSH: &str = "South Station|JFK/UMass|Quincy Center|Weymouth Landing@422210,709690|East Weymouth|\
West Hingham|Nantasket Junction@422450,708693|Cohasset|North Scituate|Greenbush@421786,707464";

const HAVERHILL: &str = "North Station|Malden Center|Wyoming Hill|Melrose Cedar Park|Melrose Highlands@424693,710683|\
Greenwood|Wakefield@425021,710756|Reading@425223,711085|North Wilmington|Ballardvale@426273,711596|\
Andover@426583,711445|Lawrence@427016,711518|Bradford@427670,710881|Haverhill@427733,710861";

const KINGSTON: &str = "South Station|JFK/UMass|Quincy Center|Braintree|South Weymouth@421554,709532|Abington|\
Whitman@420828,709232|Hanson|Halifax@420142,708243|Kingston@419777,707217|Plymouth@419812,706902";

const LOWELL: &str = "North Station|West Medford@424215,711331|Wedgemere|Winchester Center@424520,711372|Mishawum|\
Anderson/Woburn@425166,711444|Wilmington@425464,711740|North Billerica@425935,712809|Lowell@426354,713142";

const MIDDLEBOROUGH: &str = "South Station|JFK/UMass|Quincy Center|Braintree|Holbrook/Randolph@421563,710274|Montello|\
Brockton@420847,710165|Campello|Bridgewater@419850,709656|Middleborough/Lakeville@418780,709184";

const NEEDHAM: &str = "South Station|Back Bay|Ruggles|Forest Hills|Roslindale Village@422875,711301|Bellevue|Highland|\
West Roxbury@422814,711601|Hersey|Needham Junction@422730,712355|Needham Center|Needham Heights@422938,712360";

const NEWBURYPORT: &str =
    "North Station|Chelsea@423958,710412|River Works|Lynn@424630,709455|Swampscott@424738,709226|\
Salem@425247,708959|Beverly@425473,708850|North Beverly|Hamilton/Wenham@426094,708746|Ipswich@426768,708403|\
Rowley|Newburyport@427975,708779
North Station|Chelsea|River Works|Lynn|Swampscott|Salem|Beverly|Montserrat|Prides Crossing|Beverly Farms|\
Manchester@425735,707703|West Gloucester|Gloucester@426167,706687|Rockport@426555,706270";

const PROVIDENCE: &str = "South Station|Back Bay|Ruggles|Hyde Park@422550,711254|Readville|Route 128@422102,711478|\
Canton Junction@421634,711537|Sharon@421243,711843|Mansfield@420328,712195|Attleboro@419408,712850|South Attleboro|\
Providence@418296,714132|TF Green Airport|Wickford Junction@415813,714911
South Station|Back Bay|Ruggles|Hyde Park|Readville|Route 128|Canton Junction|Canton Center|Stoughton@421240,711035";

const FOXBORO: &str = "South Station|Back Bay|Dedham Corporate Center@422270,711742|Walpole@421456,712576|\
Foxboro@420951,712615";

const CHARLESTOWN: &str = "Long Wharf South@423600,710498|Charlestown Navy Yard@423727,710543";

const HINGHAM: &str = "Long Wharf North@423605,710503|Logan Airport Ferry Dock@423598,710273|\
Georges Island@423194,709310|Pemberton Point, Hull@423030,709203|Hewitts Cove, Hingham@422532,709202
Rowes Wharf@423565,710500|Grape Island@422700,709240|Hewitts Cove, Hingham";

const EAST_BOSTON: &str = "Long Wharf South|Lewis Mall Wharf@423654,710419";
