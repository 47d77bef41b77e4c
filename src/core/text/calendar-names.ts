/**
 * Names of the months, from January, and of the days, from Monday, as `Intl.DateTimeFormat` writes them in the languages that are told apart (forms of one
 * name separated by `/`). A copy, because asking Intl for all of them takes a tenth of a second; a test compares it. Languages that number their
 * months, or write a name in two words, are missing.
 */
import type { Language } from './languages'

type Names = { readonly [language in Language]?: string }

export const MONTH_NAMES: Names = {
  ar: 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر',
  bg: 'януари февруари март април май юни юли август септември октомври ноември декември',
  cs: 'leden/ledna únor/února březen/března duben/dubna květen/května červen/června červenec/července srpen/srpna září říjen/října listopad/listopadu prosinec/prosince',
  da: 'januar februar marts april maj juni juli august september oktober november december',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  el: 'Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου',
  en: 'January February March April May June July August September October November December',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  fi: 'tammikuu/tammikuuta helmikuu/helmikuuta maaliskuu/maaliskuuta huhtikuu/huhtikuuta toukokuu/toukokuuta kesäkuu/kesäkuuta heinäkuu/heinäkuuta elokuu/elokuuta syyskuu/syyskuuta lokakuu/lokakuuta marraskuu/marraskuuta joulukuu/joulukuuta',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  he: 'ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר',
  hi: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर',
  hu: 'január február március április május június július augusztus szeptember október november december',
  id: 'Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  no: 'januar februar mars april mai juni juli august september oktober november desember',
  pl: 'styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  ro: 'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  ru: 'январь/января февраль/февраля март/марта апрель/апреля май/мая июнь/июня июль/июля август/августа сентябрь/сентября октябрь/октября ноябрь/ноября декабрь/декабря',
  sr: 'јануар фебруар март април мај јун јул август септембар октобар новембар децембар',
  sv: 'januari februari mars april maj juni juli augusti september oktober november december',
  th: 'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม',
  tr: 'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
  uk: 'січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня',
}

export const DAY_NAMES: Names = {
  ar: 'الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد',
  bg: 'понеделник вторник сряда четвъртък петък събота неделя',
  cs: 'pondělí úterý středa čtvrtek pátek sobota neděle',
  da: 'mandag tirsdag onsdag torsdag fredag lørdag søndag',
  de: 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag',
  el: 'Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο Κυριακή',
  en: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
  es: 'lunes martes miércoles jueves viernes sábado domingo',
  fi: 'maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai',
  fr: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  hi: 'सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार',
  hu: 'hétfő kedd szerda csütörtök péntek szombat vasárnap',
  id: 'Senin Selasa Rabu Kamis Jumat Sabtu Minggu',
  it: 'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  ja: '月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日',
  ko: '월요일 화요일 수요일 목요일 금요일 토요일 일요일',
  nl: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  no: 'mandag tirsdag onsdag torsdag fredag lørdag søndag',
  pl: 'poniedziałek wtorek środa czwartek piątek sobota niedziela',
  ro: 'luni marți miercuri joi vineri sâmbătă duminică',
  ru: 'понедельник вторник среда четверг пятница суббота воскресенье',
  sr: 'понедељак уторак среда четвртак петак субота недеља',
  sv: 'måndag tisdag onsdag torsdag fredag lördag söndag',
  th: 'วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์ วันอาทิตย์',
  tr: 'Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar',
  uk: 'понеділок вівторок середа четвер пʼятниця субота неділя',
  zh: '星期一 星期二 星期三 星期四 星期五 星期六 星期日',
}
