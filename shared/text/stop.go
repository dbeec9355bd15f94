package text

// The stop words of each language: articles, pronouns, prepositions, auxiliary and question words, and the courtesies of
// a message. They are folded, without accents, and include what people type when they leave apostrophes out.
const (
	stopEnglish = `a about after again all also am an and any anybody anyone anything are aren't arent as at be because been
before being but by can can't cannot cant could couldn't couldnt did didn't didnt do does doesn't doesnt doing don't dont
each for from get give got had has have haven't having he hello her here hers hey hi him his how how's hows i i'd i'll i'm
i've if im in into is isn't isnt it it's its itself ive just kindly know let let's lets like me might more most my myself
need no nor not of off ok okay on once one only onto or other our ours out over please pls should so some somebody someone
something such tell than thank thanks that that's thats the their theirs them then there there's theres these they they're
this those through to too u under until up upon ur us very want was wasn't we we'd we'll we're we've were what what's
whatever whats when when's where where's wheres whether which while who who's whom whose whos why will with within won't
would wouldn't yes you you're you've your yours`

	stopSpanish = `a al algo algun alguna algunas alguno algunos ante antes aqui asi aun aunque buenas buenos cada como con
contra cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos e el ella ellas ellos en entre era eran eres
es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy favor fue fueron ha haber habia hace hacen
hacer hago han has hasta hay he hola la las le les lo los mas me mi mientras mis mucho muy nada ni no nos nosotros nuestra
nuestras nuestro nuestros o os otra otras otro otros para pero poder podeis podria podrian por porque puede pueden puedo
pues que quien quienes quiero quisiera se sea ser si sido sin sobre solo son soy su sus tal tambien tampoco tan tanto te
teneis tenemos tener tengo tiene tienen tienes toda todas todo todos tu tus un una unas uno unos usted ustedes va vosotros
vuestra vuestras vuestro vuestros y ya yo gracias saber decir decirme dime`

	stopFrench = `a afin ai aie ainsi alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons bien
bonjour bonsoir c ca car ce cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de des depuis
donc dont du elle elles en encore entre es est et etait etaient etant ete etes etre eu eux faire fait font fut il ils j je
jusqu l la le les leur leurs lors lorsqu lui m ma mais me meme memes merci mes moi moins mon n ne ni non nos notre nous on
ont ou oui par parce pas pendant peu peut peuvent peux plait plus plutot pour pourquoi pourrais pourrait pourriez pouvez
puis puisqu qu quand que quel quelle quelles quelque quelques quels qui quoi s sa salut sans se sera serait ses si son sont
sous suis sur svp t ta te tes toi ton tous tout toute toutes tres tu un une va vais vers veux voila vos votre voudrais vous
vraiment y combien dites savoir`

	stopGerman = `ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus
bei beim bin bis bist bitte da dabei dafur damit danke dann daran darauf daraus darf das dass dein deine deinem deinen
deiner dem den denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch durfen ein
eine einem einen einer eines einige er es etwa etwas euch euer eure eurem euren eurer fur gegen gerne gern gibt guten hab
habe haben habt hallo hat hatte hatten hi hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
ja jede jedem jeden jeder jedes jene jetzt kann kannst kein keine keinem keinen keiner konnen konnt konnte konnten kriege
lang mache machen man manche mein meine meinem meinen meiner mich mir mit mochte mochten muss mussen nach nein nicht nichts
noch nun nur ob oder ohne sagen sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche soll sollen sollte
sondern sonst uber um und uns unser unsere unserem unseren unserer unter viel vom von vor wann war waren warum was weil
welche welchem welchen welcher welches wenn wer werde werden wie wieder wieviel will wir wird wo woher wohin wollen wurde
wurden zu zum zur zwischen`

	stopItalian = `a abbiamo ad agli ai al alcuni alcuna alla alle allo anche ancora avere avete aveva avevano bene buongiorno
buonasera c che chi ci ciao come con contro cosa cos cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della
delle dello di dite dove dov e ed era erano essere fa fanno fare fate favore fra gia gli grazie ha hai hanno ho i il in io l
la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nell nella nelle nello no noi non nostra nostre
nostri nostro o ogni oppure per perche pero piu poi posso possiamo potete potrei potrebbe puo prego quale quali qual quando
quanta quante quanti quanto quant quella quelle quelli quello quest questa queste questi questo qui s sapere se sei senza si
sia siamo siete solo sono sta stata stati stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi tra tu tua tue tuo
tuoi tutta tutte tutti tutto un una uno vi voglio voi volevo vorrei vostra vostre vostri vostro`

	stopPortuguese = `a ai ainda alem algum alguma algumas alguns ao aos apos aquela aquelas aquele aqueles aquilo as ate bem boa
bom cada com como da das de dela delas dele deles depois desde dessa desse desta deste do dos e ela elas ele eles em entre
era eram essa essas esse esses esta estao estar estas estava este estes estou eu fazem fazer faz foi for foram gostaria ha
isso isto ja la lhe lhes lo mais mas me mesmo meu meus minha minhas muito muita na nada nao nas nem no nos nossa nossas
nosso nossos num numa o obrigada obrigado oi ola onde os ou para pela pelas pelo pelos pode podem poderia posso por porque
pra pois qual quais qualquer quando quanta quantas quanto quantos que quem quero saber se sem ser seu seus sim sao so sobre
sou sua suas tambem tao te tem temos tenho ter teu teus tu tua tuas tudo um uma umas uns vao voce voces vos favor dizer`

	stopDutch = `aan al alle alles als ander andere ben bent bij bedankt ben daar dan dank dat de den der deze die dit doch doe
doen door dus een eens en er ga gaan geen geven graag haar had heb hebben hebt heeft hem het hier hij hoe hoeveel hoi hallo
hun iemand iets ik in is ja je jij jou jouw jullie kan kunnen kunt kun maar mag me meer men met mij mijn moet moeten mogen na
naar nee niet niets nog nu of om omdat onder ons onze ook op over te tegen ten ter toch toen tot u uit uw van veel voor waar
waarom wanneer want waren was wat we weer wel welk welke werd wie wij wil willen worden wordt zal ze zelf zich zij zijn zo
zonder zou zouden zullen alsjeblieft alstublieft weten zeggen`

	stopSwedish = `alla allt att av behöver blev bli blir da de dem den denna deras dess dessa det detta dig din dina ditt du där då
efter ej eller en er era ert ett fran från for för ga gar gå går ge gor gör göra ha han hade har hej henne hennes hon honom
hos hur hurdan i icke inte in inom ja jag kan kunna kunde man med mellan men mig min mina mitt mot mycket ni nej nu nar när
nagon någon något några och om oss på pa samma se sedan sig sin sina sitt ska skall skulle som så sa till tack ta under upp
ut utan vad var vara varför varit varje vars vart vem vi vid vilka vilkas vilken vilket vill vår våra vårt ar är åt över vet
snälla`

	stopDanish = `ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine disse dit du efter
eller en end er et fa fik for fra få får gerne ga går gør ha hans har havde have hej hende hendes her hos hun hvad hvem hver
hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornar hvornår i ikke ind ja jeg jer jeres jo kan kunne man mange med meget
men mig min mine mit mod må ned nej noget nogle nogen nu når og også om op os over på på se sig sin sine sit skal skulle som
så sådan tak til ud under var vi vil ville vor være været vores ønsker hvornaar venligst ved mon`

	stopNorwegian = `alle alt at av bare begge ble blei bli blir da de deg dem den denne der dere deres det dette di din disse ditt
du eller en enn er et ett etter for fordi fra få får før gjør gjøre går ha hadde han hans har hei henne hennes her hos hun hva
hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke inn ja jeg kan kunne man mange med meg mellom men mer mi min
mine mitt mot mye må nei noe noen nå når og også om opp oss over på samme se seg selv si sin sine sitt skal skulle slik som så
takk til um under ut uten var vart ved vi vil ville vår våre vært være ønsker vennligst gjerne`

	stopFinnish = `ei eivat eivät eli emme en et ette että hei he hän heidän hän häneen häntä ihan ja jo joka jos joko jolla jossa jota
jotka kai kanssa kiitos kuin kuinka kuka kun kyllä me meidän meillä mihin mikä mikäli mille millä milloin minkä minun minut minä
missä mistä mitä mitkä moi mukaan mutta myös ne niiden niin niitä noin nuo nyt ne oli olen olemme olet olette olisi olivat olla
on onko ole ovat paljon paljonko se sekä sen siellä siinä sille sinun sinä sitä siis saa saako saanko te teidän teillä tai tämä
tämän tässä tätä vai vain vaikka voi voiko voin voinko voitte voitteko voivat haluan haluaisin miten miksi minne koska monta
montako mihin`

	stopRomanian = `a acea aceasta aceste acestea aceasta acest acesta acestei acestia acestui acolo acum ai aici al ale alt alta
altceva am ar are as asta astea ati atunci au avea aveti avem azi buna bine ca cand care carei caruia cat cata cate cati ce cea
cel cele celor cei cine cu cum cumva da daca dar de deci decat din dintre doar dupa ea ei el ele era este esti eu face faceti fara
fi fie fiecare fost i ii il im imi in inainte insa intr intre isi iti la le li lor lui ma mai mea mei mele meu mi mult multa
multumesc ne nici nimic niste noastra noastre noi nostri nostru nu o ori orice pana pe pentru peste poate pot puteti prin putea
rog sa sai salut sale sau se si sint sunt spre sub ta te ti toata toate tot toti tu un una unde unei unele unii unor unui unul va
vi voi vor vostru vreau vrea`

	stopHungarian = `a abban ahhoz ahogy ahol aki akik akkor alatt amely amelyek amelyet ami amig amikor amit az azok azon azt azzal
be bele csak de e egy egyeb egyik el elott en es ez ezek ezen ezert ezt ezzel fel fele ha hello hanem hany hanyas hat helyett hiszen
hogy hogyan hol honnan hova hozza igen igy ill is itt jo kell kellene keresztul ki kik kell kerem koszonom kozott kozul le lehet
lehetne legyen lenni lesz lett maga magat majd mar mas masik meg megy mellett mely melyik mennyi mennyibe mert mi miatt mibe mig
miert mikor milyen minden mint mit miutan mondani most nagyon ne neha nekem neki nelkul nem nincs o ok oket olyan ott ossze pedig
rol s sem semmi sok szamara szia szeretnek szerint szol tehat tovabb tud tudnak tudok tudja ugy ugyanis uj utan utana vagy vagyok
van vannak volna volt voltak valaki valami vele vissza viszont`

	stopRussian = `а без более бы был была были было быть в вам вами вас ваш ваша ваше ваши во вот все всего всех вы где да даже для до
его ее если есть еще же за здесь здравствуйте и из или им их к как какая какие какой каков ко когда кого который которая которые кто
ли либо мне могу мог может можно мой моя мои мы на над надо нам нами нас наш наша наше наши не него нее нет ни них но ну о об
однако он она они оно от очень по под подскажите пожалуйста после при привет про с сам свой своя себя сейчас скажите сколько со
спасибо так также такой там те тем то тогда того тоже той только том тот ту ты у уже хотел хотела хочу чего чем через что чтобы
чье эта эти это этого этой этом этот я`

	stopTurkish = `acaba ama ancak artik asla az bana bazi belki ben benden beni benim beri bile bir biraz bircok biri birkac birsey biz
bizden bize bizi bizim bu buna bunda bundan bunlar bunu bunun burada cok cunku da daha de defa degil diye dolayi dolayisiyla en
ediyor eger ettigi evet fakat falan felan gibi gore hala hangi hani hatta hem henuz hep hepsi her hic icin ile ilgili ise iste
istiyorum kac kaca kadar karsi kendi ki kim kime kimin kimse lutfen madem mi mu merhaba nasil ne neden nedir nerede nereden nereye
nicin niye o olan olarak oldu olsun olur olup ona ondan onlar onlari onlarin onu onun orada oysa oyle pek sadece sana selam sen
senden seni senin siz sizden size sizi sizin sonra soyle su suna sunu tarafindan tesekkurler tum uzere var varmi ve veya veyahut ya
yani yapiyor yok yoksa zaten in un nin nun dan den a e i u ye ya yi yu miyim misiniz musunuz`

	stopArabic = `في من الى إلى على علي عن مع هل ما ماذا متى اين أين كيف كم هو هي هم هن أنا انا أنت انت نحن أنتم انتم هذا هذه ذلك تلك
هؤلاء التي الذي الذين كان كانت يكون تكون كل بعض أن ان إن او أو ثم لكن و لا لم لن قد لقد عند عندكم عندي لدي لديكم لديك لي لك لكم له
لها لهم لنا به بها فيه فيها منه منها عليه عليها إذا اذا حتى بعد قبل بين تحت فوق أي اي أية لماذا غير سوى مثل اريد أريد ممكن يمكن
يمكنني هناك هنا شكرا مرحبا من فضلك السلام عليكم نعم كما ايضا أيضا حول خلال`
)
