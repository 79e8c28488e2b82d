//! The bus routes: id, hubs in order, one-way trips of a weekday, and the days on which they run.

/// One route a line: id, garage, weekday trips in both directions, days (`a` all, `w` weekdays only, `s` no Sundays),
/// codes of hubs.
///
/// The trips give each route its share, so they make the sizes of the answers; the sum is scaled to the feed's total.
pub(super) const BUS_ROUTES: &str = "\
1 s 260 a harvd cntrl symph nubn
4 t 42 w nstat hayst state sstat seapt drydk
5 s 28 w citpt andrw uphms
7 t 120 s citpt broad sstat dwnxg
8 s 74 a umass jfkum andrw nubn rugg kenmr
9 s 142 a citpt broad bbsta coply
10 s 76 a citpt andrw nubn bbsta coply
11 s 98 a citpt broad tufts dwnxg
14 g 34 s rslsq frhls egles nubn heath
15 s 116 a fldcr uphms nubn rugg
16 s 94 a frhls frnkp andrw umass
17 s 90 a fldcr uphms andrw
18 s 52 a ashmt fldcr andrw
19 s 66 w fldcr grvhl nubn rugg kenmr
21 g 102 a ashmt matpn frhls
22 s 152 a ashmt grvhl egles jacks rugg
23 s 260 a ashmt fldcr grvhl nubn rugg
24 g 70 a clrys fiske matpn ashmt
26 s 60 a ashmt nepst fldcr ashmt
28 s 640 a matpn grvhl nubn rugg
29 s 54 a matpn frnkp egles jacks
30 g 66 a matpn fiske rslsq frhls
31 g 146 a matpn frnkp frhls
32 g 258 a wolcs clrys frhls
33 g 40 a dedml clrys matpn
34 g 74 a dedsq wroxd rslsq frhls
34E g 84 a walpl norwd dedsq wroxd frhls
35 g 72 a dedml wroxd rslsq frhls
36 g 90 a wroxd lagrg rslsq frhls
37 g 60 s lagrg wroxd rslsq frhls
38 g 48 s lagrg chsth frhls
39 g 220 a frhls heath brgcr symph bbsta
40 g 44 s hydpk wolcs rslsq frhls
41 s 56 a frhls jacks egles uphms jfkum
42 s 80 a frhls egles nubn rugg
43 t 86 a rugg rxbcr tufts dwnxg
44 s 98 a jacks egles grvhl nubn rugg
45 s 96 a frnkp grvhl nubn rugg
47 a 116 a cntrl longm rugg nubn broad
50 g 44 s clrys rslsq frhls
51 a 56 s frhls chsth cleve
52 a 42 s dedml chsth newcr wtryd
55 a 54 a symph coply dwnxg
57 a 370 a wtryd newcr brigc alstn kenmr
59 a 40 a needj newhl newcr wtrsq
60 a 66 a chsth brkvl kenmr
61 a 28 w cedar walct wavsq
62 h 40 s bedvh lexct arlht alwif
64 a 64 a oksqr brigc alstn cntrl kendl
65 a 70 s brigc cleve brkvl longm kenmr
66 s 440 a harvd alstn coolc brkvl rxbcr nubn
67 h 38 w turkh arlct alwif
68 h 36 w harvd cntrl kendl
69 h 80 a harvd cntrl lechm
70 a 118 a cedar walct wtrsq cntrl kendl
70A a 44 a nwobn walct wtrsq cntrl
71 h 170 a wtrsq huron harvd
72 h 38 a huron frdst harvd
73 h 164 a wavsq belct harvd
74 h 50 a belct frdst harvd
75 h 36 s belct huron frdst harvd
76 h 40 s hansc lexct arlht alwif
77 h 280 a arlht arlct portr harvd
78 h 62 a arlct frdst huron harvd
79 h 48 w arlht arlct alwif
80 h 64 a arlct wmedf medhl lechm
83 h 66 a alwif portr unsqr cntrl
84 h 22 w arlht turkh alwif
85 h 42 w unsqr kendl cntrl
86 h 96 a sullv unsqr harvd alstn cleve
87 h 94 a clrnd davis portr lechm
88 h 92 a clrnd davis unsqr lechm
89 c 98 a clrnd davis medhl sullv
90 c 38 a davis unsqr assem welln
91 c 48 a sullv unsqr cntrl
92 c 60 s assem sullv bunkr dwnxg
93 c 110 a sullv bunkr hayst dwnxg
94 c 50 a medsq wmedf davis
95 c 64 a wmedf medsq assem sullv
96 c 56 a medsq medhl davis harvd
97 f 34 a mlmnl evrsq welln
99 f 56 a melrs mlmnl evrsq welln
100 f 48 a oakgr medsq welln
101 f 84 a mlmnl medsq medhl sullv
104 f 96 a mlmnl evrsq sullv
105 f 46 a mlmnl linds evrsq sullv
106 f 60 a oakgr mlmnl linds welln
108 f 72 a linds mlmnl evrsq welln
109 f 98 a linds evrsq sullv
110 f 86 a wondl revct woodl evrsq welln
111 c 400 a woodl chels admhl hayst
112 c 40 a welln admhl chels wdisl
114 c 44 a chels airpt mavrk
116 c 100 a wondl revct chels mavrk
117 c 96 a wondl beach chels mavrk
119 c 48 a revct linds orhts beach
120 c 76 a orhts wdisl jefpt mavrk
121 c 22 w wdisl mavrk jefpt
132 f 34 s redng stonh oakgr mlmnl
134 f 50 a nwobn wobrn wnchc medsq welln
137 f 44 a redng melrs oakgr mlmnl
171 t 12 a logan andrw uphms nubn
201 q 46 a fldcr nepst fldcr
202 q 40 a fldcr nepst umass
210 q 54 s quict nquin nepst fldcr
211 q 50 a quict wolls nquin sqntm
215 q 78 a quict milhl ashmt
216 q 46 a quict germt hough
217 q 22 w quict milhl ashmt
220 q 68 a quict weyld hingh
222 q 64 a quict weyld brntn
225 q 72 a quict nhbrd weyld
230 q 56 a quict brntn holbk monte
236 q 32 s quict brntn weyld
238 q 52 a quict randl holbk
240 q 78 a avonl randl milhl ashmt
245 q 20 w quict qadms milhl matpn
350 h 58 a burml arlht arlct alwif
351 h 18 w burml lexct alwif
354 c 18 w nwobn burml state
411 f 48 s mlmnl linds revct wondl
424 l 26 w saugc linds hayst
426 l 64 a lynn saugc linds hayst
428 l 22 w saugc mlmnl hayst
429 l 52 a peabd saugc lynn
430 l 50 a saugc linds mlmnl
435 l 44 a danvr peabd lynn
436 l 46 a danvr swmps lynn lyncm
441 l 60 a marbl swmps lynn wondl
442 l 58 a marbl swmps lynn wondl hayst
450 l 60 a salem lyncm lynn hayst
455 l 56 a salem swmps lynn wondl
501 a 62 w oksqr newcr dwnxg
504 a 52 s wtryd newcr coply dwnxg
553 a 40 s cedar walct newcr dwnxg
627 h 14 w bedvh lexct burml alwif
708 t 24 w bbsta nubn longm rugg
741 t 180 a logan seapt sstat
742 t 150 a drydk seapt sstat
743 t 168 a chels airpt seapt sstat
746 t 60 w drydk seapt sstat
747 t 30 w logan jefpt airpt sstat
749 t 252 a nubn tufts dwnxg
751 t 236 a nubn tufts sstat
";
