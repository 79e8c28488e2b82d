//! Names to compose stops of: the streets that buses follow, those that cross them, and what stands beside.
//!
//! Names are parted by `|`.

/// Streets that buses follow.
pub(super) const AVENUES: &str = "\
Adams St|American Legion Hwy|Arsenal St|Arborway|Atlantic Ave|Beacon St|Belgrade Ave|Bennington St|Blue Hill Ave|\
Boston Ave|Boston St|Bowdoin St|Boylston St|Brighton Ave|Broadway|Brookline Ave|Bunker Hill St|Cambridge St|\
Centre St|Columbia Rd|Columbus Ave|Commercial St|Common St|Commonwealth Ave|Concord Ave|Congress St|Cummins Hwy|\
Dorchester Ave|Dudley St|Eastern Ave|Ferry St|Forest St|Franklin St|Furnace Brook Pkwy|Gallivan Blvd|Hancock St|\
Harrison Ave|Harvard St|Highland Ave|Humphrey St|Huntington Ave|Hyde Park Ave|Lexington St|Lynn Fells Pkwy|Main St|\
Market St|Massachusetts Ave|Medford St|Melnea Cass Blvd|Meridian St|Morrissey Blvd|Morton St|Mount Auburn St|\
Mystic Ave|Neponset Ave|North Harvard St|North Shore Rd|Park St|Pearl St|Pleasant St|Pond St|Prospect St|\
Quincy Shore Dr|Revere St|River St|Riverside Ave|Saint James Ave|Salem St|Sea St|Shirley Ave|Somerville Ave|\
South Huntington Ave|Southern Artery|Spring St|Squantum St|Stuart St|Summer St|Tremont St|Trapelo Rd|Turnpike St|\
VFW Pkwy|Walk Hill St|Warren St|Washington St|Watertown St|West Roxbury Pkwy|Western Ave|Winthrop St|Woburn St|\
Wood Ave";

/// Streets that cross them.
pub(super) const CROSSINGS: &str = "\
Abbott|Alden|Ames|Appleton|Ashland|Aspinwall|Austin|Babson|Bailey|Bartlett|Bay State|Beech|Belmont|Berkeley|\
Billings|Birch|Bishop|Blake|Bradford|Brewster|Bridge|Brook|Bromfield|Byron|Calumet|Canal|Cedar|Chandler|Chapel|\
Charles|Chestnut|Church|Clark|Clifton|Clinton|Cottage|Court|Crescent|Cross|Curtis|Cushing|Dale|Dana|Davis|Day|Dean|\
Decatur|Dexter|Dover|Draper|Dunster|Dwight|Eliot|Ellery|Elm|Endicott|Essex|Everett|Fairmount|Farnham|Fayette|\
Fellsway|Fenno|Fletcher|Foster|Freeman|Fuller|Gardner|Garfield|Gilbert|Glenwood|Gore|Granite|Green|Grove|Hamilton|\
Hampden|Harris|Hawthorne|Hayes|Hemenway|High|Hillside|Holbrook|Holland|Holmes|Howard|Howland|Hudson|Hunnewell|Inman|\
Irving|Ivy|Jackson|Jefferson|Joy|Juniper|Keith|Kendrick|Kimball|Kirkland|Lake|Langdon|Laurel|Lawrence|Lee|Leyden|\
Lincoln|Linden|Linnaean|Locust|Longwood|Lowell|Magazine|Magnolia|Maple|Marion|Marlborough|Mason|Mather|Mayfield|\
Melville|Merrill|Middle|Milton|Monroe|Mount Vernon|Myrtle|Nahant|Nash|Newbury|Newton|Norfolk|Northgate|Norton|\
Norway|Oak|Oakland|Ocean|Olive|Orchard|Otis|Oxford|Palmer|Parker|Parkman|Paul|Peabody|Perkins|Perry|Phillips|Pine|\
Plymouth|Porter|Powder House|Prescott|Putnam|Quincy|Randolph|Raymond|Reed|Revere|Rice|Richdale|Ridge|Robbins|\
Rockland|Rockwell|Rogers|Rose|Russell|Sacramento|Savin Hill|School|Sherman|Short|Sidney|South|Stanley|Stetson|Story|\
Stoughton|Sumner|Sycamore|Talbot|Temple|Thayer|Thornton|Union|Upham|Vassar|Vernon|Victory|Vine|Walden|Walnut|Ward|\
Waverly|Wendell|Wheeler|Whipple|Whitman|Willow|Wilson|Windsor|Winter|Winslow|Woodbine|Woodside|Wyman|Yale|York";

/// How the name of a crossing street ends.
pub(super) const CROSSING_ENDINGS: &str = "\
St|St|St|Ave|Rd|Ter|Pl";

/// Places off the way that some trips serve: each makes a deviation of its route.
pub(super) const SIDE_TRIPS: &str = "\
High School|Middle School|Community Hospital|Medical Center|Shopping Plaza|Industrial Park|Housing Authority|\
Public Library|Senior Center|Town Hall|Cemetery Gate|Beach Pavilion|Business Park|Health Center|Ice Rink|Bus Garage";
