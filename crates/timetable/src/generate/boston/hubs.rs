//! Where buses begin, end and cross: the squares and stations of greater Boston.

/// Code, name, municipality, and the place in ten-thousandths of a degree north and west.
///
/// A hub that bears the name of a rail station lies inside it: its bus stops get that parent station.
pub(super) const HUBS: &str = "\
harvd|Harvard|Cambridge|423734|711189
cntrl|Central|Cambridge|423655|711038
kendl|Kendall/MIT|Cambridge|423625|710863
lechm|Lechmere|Cambridge|423709|710770
portr|Porter|Cambridge|423884|711191
davis|Davis|Somerville|423967|711218
alwif|Alewife|Cambridge|423954|711424
clrnd|Clarendon Hill|Somerville|424062|711269
unsqr|Union Square|Somerville|423776|710946
sullv|Sullivan Square|Boston|423840|710770
assem|Assembly|Somerville|423928|710772
welln|Wellington|Medford|424024|710771
mlmnl|Malden Center|Malden|424267|710743
oakgr|Oak Grove|Malden|424367|710711
medsq|Medford Square|Medford|424189|711091
wmedf|West Medford|Medford|424215|711331
arlct|Arlington Center|Arlington|424153|711526
arlht|Arlington Heights|Arlington|424246|711856
lexct|Lexington Center|Lexington|424473|712253
belct|Belmont Center|Belmont|423962|711766
wavsq|Waverley Square|Belmont|423882|711901
wtrsq|Watertown Square|Watertown|423654|711855
wtryd|Watertown Yard|Watertown|423629|711857
walct|Central Square, Waltham|Waltham|423751|712363
cedar|Cedarwood|Waltham|423676|712553
newcr|Newton Corner|Newton|423568|711850
newhl|Newton Highlands|Newton|423225|712055
wroxd|West Roxbury|Boston|422814|711601
brigc|Brighton Center|Boston|423496|711563
oksqr|Oak Square|Boston|423508|711676
alstn|Union Square, Allston|Boston|423535|711373
kenmr|Kenmore|Boston|423489|710951
cleve|Cleveland Circle|Brookline|423362|711491
coolc|Coolidge Corner|Brookline|423422|711212
brkvl|Brookline Village|Brookline|423326|711168
longm|Longwood Medical Area|Boston|423386|711057
brgcr|Brigham Circle|Boston|423342|711046
heath|Heath Street|Boston|423287|711105
jacks|Jackson Square|Boston|423231|710996
rugg|Ruggles|Boston|423364|710894
rxbcr|Roxbury Crossing|Boston|423314|710954
nubn|Nubian Station|Boston|423296|710837
symph|Symphony|Boston|423427|710851
bbsta|Back Bay|Boston|423473|710757
coply|Copley|Boston|423500|710774
dwnxg|Downtown Crossing|Boston|423555|710602
sstat|South Station|Boston|423523|710552
state|State|Boston|423588|710577
hayst|Haymarket|Boston|423630|710583
nstat|North Station|Boston|423656|710613
tufts|Tufts Medical Center|Boston|423497|710639
broad|Broadway|Boston|423426|710569
andrw|Andrew|Boston|423302|710573
citpt|City Point|Boston|423363|710275
seapt|Seaport District|Boston|423487|710420
drydk|Drydock Avenue|Boston|423444|710330
jfkum|JFK/UMass|Boston|423207|710524
umass|UMass Boston Campus Center|Boston|423134|710368
uphms|Uphams Corner|Boston|423188|710693
fldcr|Fields Corner|Boston|423001|710617
ashmt|Ashmont|Boston|422847|710638
nepst|Neponset|Boston|422848|710410
matpn|Mattapan|Boston|422676|710924
grvhl|Grove Hall|Boston|423079|710824
frnkp|Franklin Park|Boston|423026|710865
egles|Egleston Square|Boston|423150|710955
frhls|Forest Hills|Boston|423005|711139
rslsq|Roslindale Square|Boston|422865|711286
clrys|Cleary Square|Boston|422553|711243
wolcs|Wolcott Square|Boston|422384|711326
hydpk|Georgetowne|Boston|422466|711446
dedsq|Dedham Square|Dedham|422440|711664
dedml|Dedham Mall|Dedham|422544|711715
lagrg|LaGrange Street|Boston|422861|711691
norwd|Norwood Central|Norwood|421887|711995
walpl|Walpole Center|Walpole|421419|712527
milhl|Milton Center|Milton|422554|710789
quict|Quincy Center|Quincy|422518|710050
nquin|North Quincy|Quincy|422753|710299
wolls|Wollaston|Quincy|422665|710203
qadms|Quincy Adams|Quincy|422334|710071
brntn|Braintree|Braintree|422079|710014
hough|Houghs Neck|Quincy|422665|709531
germt|Germantown|Quincy|422528|709730
sqntm|Squantum|Quincy|422980|710110
weyld|Weymouth Landing|Weymouth|422210|709690
hingh|Hingham Center|Hingham|422418|708896
randl|Randolph Center|Randolph|421626|710412
monte|Montello|Brockton|421063|710217
avonl|Avon Square|Avon|421306|710411
holbk|Holbrook Center|Holbrook|421550|710089
mavrk|Maverick|Boston|423691|710395
airpt|Airport|Boston|423743|710304
logan|Logan Airport Terminals|Boston|423662|710176
wdisl|Wood Island|Boston|423796|710229
orhts|Orient Heights|Boston|423869|710047
jefpt|Jeffries Point|Boston|423640|710330
beach|Beachmont|Revere|423975|709923
wondl|Wonderland|Revere|424134|709917
revct|Revere Center|Revere|424082|710120
chels|Bellingham Square|Chelsea|423928|710338
admhl|Admirals Hill|Chelsea|423895|710500
woodl|Woodlawn|Everett|424150|710350
evrsq|Everett Square|Everett|424083|710536
linds|Linden Square|Malden|424290|710260
saugc|Saugus Center|Saugus|424647|710100
lynn|Lynn|Lynn|424630|709455
lyncm|Lynn Common|Lynn|424660|709590
swmps|Swampscott|Swampscott|424738|709226
marbl|Marblehead|Marblehead|425000|708578
salem|Salem Depot|Salem|425247|708959
danvr|Liberty Tree Mall|Danvers|425530|709430
peabd|North Shore Mall|Peabody|425390|709440
melrs|Melrose Highlands|Melrose|424693|710683
stonh|Stoneham Square|Stoneham|424800|710995
redng|Reading Depot|Reading|425223|711085
wobrn|Woburn Center|Woburn|424792|711523
nwobn|North Woburn|Woburn|425053|711610
wnchc|Winchester Center|Winchester|424520|711372
burml|Burlington Mall|Burlington|424816|712139
bedvh|Bedford VA Hospital|Bedford|425030|712700
hansc|Hanscom Field|Bedford|424700|712890
medhl|Medford Hillside|Medford|424100|711250
needj|Needham Junction|Needham|422730|712355
chsth|Chestnut Hill|Newton|423100|711660
bunkr|Bunker Hill|Boston|423790|710660
frdst|Fresh Pond|Cambridge|423890|711490
huron|Huron Village|Cambridge|423810|711370
turkh|Turkey Hill|Arlington|424330|711720
nhbrd|Hebronville|Quincy|422450|709950
fiske|Fiske Square|Boston|422700|711100
";
