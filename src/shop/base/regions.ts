/**
 * States, provinces and prefectures of countries whose addresses name them, from libaddressinput (Google, CC BY 4.0):
 * as an address has them, with the Latin or full name after "=". India and Italy as of 2026.
 */
const regions: Readonly<Record<string, string>> = {
  AE:
    "أبو ظبي=Abu Dhabi~الشارقة=Sharjah~الفجيرة=Fujairah~ام القيوين=Umm Al Quwain~دبي=Dubai~" +
    "رأس الخيمة=Ras al Khaimah~عجمان=Ajman",
  AU:
    "ACT=Australian Capital Territory~NSW=New South Wales~NT=Northern Territory~QLD=Queensland~" +
    "SA=South Australia~TAS=Tasmania~VIC=Victoria~WA=Western Australia",
  BR:
    "AC=Acre~AL=Alagoas~AP=Amapá~AM=Amazonas~BA=Bahia~CE=Ceará~DF=Distrito Federal~" +
    "ES=Espírito Santo~GO=Goiás~MA=Maranhão~MT=Mato Grosso~MS=Mato Grosso do Sul~MG=Minas Gerais~" +
    "PA=Pará~PB=Paraíba~PR=Paraná~PE=Pernambuco~PI=Piauí~RJ=Rio de Janeiro~RN=Rio Grande do Norte~" +
    "RS=Rio Grande do Sul~RO=Rondônia~RR=Roraima~SC=Santa Catarina~SP=São Paulo~SE=Sergipe~" +
    "TO=Tocantins",
  CA:
    "AB=Alberta~BC=British Columbia~MB=Manitoba~NB=New Brunswick~NL=Newfoundland and Labrador~" +
    "NT=Northwest Territories~NS=Nova Scotia~NU=Nunavut~ON=Ontario~PE=Prince Edward Island~" +
    "QC=Quebec~SK=Saskatchewan~YT=Yukon",
  CN:
    "安徽省=Anhui~北京市=Beijing~重庆市=Chongqing~福建省=Fujian~甘肃省=Gansu~广东省=Guangdong~广西壮族自治区=Guangxi~" +
    "贵州省=Guizhou~海南省=Hainan~河北省=Hebei~河南省=Henan~黑龙江省=Heilongjiang~湖北省=Hubei~湖南省=Hunan~吉林省=Jilin~" +
    "江苏省=Jiangsu~江西省=Jiangxi~辽宁省=Liaoning~内蒙古自治区=Inner Mongolia~宁夏回族自治区=Ningxia~青海省=Qinghai~" +
    "山东省=Shandong~山西省=Shanxi~陕西省=Shaanxi~上海市=Shanghai~四川省=Sichuan~天津市=Tianjin~西藏自治区=Tibet~" +
    "新疆维吾尔自治区=Xinjiang~云南省=Yunnan~浙江省=Zhejiang",
  ES:
    "VI=Álava~AB=Albacete~A=Alicante~AL=Almería~O=Asturias~AV=Ávila~BA=Badajoz~B=Barcelona~" +
    "BU=Burgos~CC=Cáceres~CA=Cádiz~S=Cantabria~CS=Castellón~CE=Ceuta~CR=Ciudad Real~CO=Córdoba~" +
    "CU=Cuenca~GI=Girona~GR=Granada~GU=Guadalajara~SS=Guipúzcoa~H=Huelva~HU=Huesca~" +
    "PM=Islas Baleares~J=Jaén~C=La Coruña~LO=La Rioja~GC=Las Palmas~LE=León~L=Lérida~LU=Lugo~" +
    "M=Madrid~MA=Málaga~ML=Melilla~MU=Murcia~NA=Navarra~OR=Ourense~P=Palencia~PO=Pontevedra~" +
    "SA=Salamanca~TF=Santa Cruz de Tenerife~SG=Segovia~SE=Sevilla~SO=Soria~T=Tarragona~TE=Teruel~" +
    "TO=Toledo~V=Valencia~VA=Valladolid~BI=Vizcaya~ZA=Zamora~Z=Zaragoza",
  HK: "Kowloon~Hong Kong Island~New Territories",
  IN:
    "Andaman and Nicobar Islands~Andhra Pradesh~Arunachal Pradesh~Assam~Bihar~Chandigarh~" +
    "Chhattisgarh~Dadra and Nagar Haveli and Daman and Diu~Delhi~Goa~Gujarat~Haryana~" +
    "Himachal Pradesh~Jammu and Kashmir~Jharkhand~Karnataka~Kerala~Ladakh~Lakshadweep~" +
    "Madhya Pradesh~Maharashtra~Manipur~Meghalaya~Mizoram~Nagaland~Odisha~Puducherry~Punjab~" +
    "Rajasthan~Sikkim~Tamil Nadu~Telangana~Tripura~Uttar Pradesh~Uttarakhand~West Bengal",
  IT:
    "AG=Agrigento~AL=Alessandria~AN=Ancona~AO=Aosta~AR=Arezzo~AP=Ascoli Piceno~AT=Asti~" +
    "AV=Avellino~BA=Bari~BT=Barletta-Andria-Trani~BL=Belluno~BN=Benevento~BG=Bergamo~BI=Biella~" +
    "BO=Bologna~BZ=Bolzano~BS=Brescia~BR=Brindisi~CA=Cagliari~CL=Caltanissetta~CB=Campobasso~" +
    "CI=Carbonia-Iglesias~CE=Caserta~CT=Catania~CZ=Catanzaro~CH=Chieti~CO=Como~CS=Cosenza~" +
    "CR=Cremona~KR=Crotone~CN=Cuneo~EN=Enna~FM=Fermo~FE=Ferrara~FI=Firenze~FG=Foggia~" +
    "FC=Forlì-Cesena~FR=Frosinone~GE=Genova~GO=Gorizia~GR=Grosseto~IM=Imperia~IS=Isernia~" +
    "AQ=L'Aquila~SP=La Spezia~LT=Latina~LE=Lecce~LC=Lecco~LI=Livorno~LO=Lodi~LU=Lucca~MC=Macerata~" +
    "MN=Mantova~MS=Massa-Carrara~MT=Matera~VS=Medio Campidano~ME=Messina~MI=Milano~MO=Modena~" +
    "MB=Monza e Brianza~NA=Napoli~NO=Novara~NU=Nuoro~OG=Ogliastra~OT=Olbia-Tempio~OR=Oristano~" +
    "PD=Padova~PA=Palermo~PR=Parma~PV=Pavia~PG=Perugia~PU=Pesaro e Urbino~PE=Pescara~PC=Piacenza~" +
    "PI=Pisa~PT=Pistoia~PN=Pordenone~PZ=Potenza~PO=Prato~RG=Ragusa~RA=Ravenna~RC=Reggio Calabria~" +
    "RE=Reggio Emilia~RI=Rieti~RN=Rimini~RM=Roma~RO=Rovigo~SA=Salerno~SS=Sassari~SV=Savona~" +
    "SI=Siena~SR=Siracusa~SO=Sondrio~SU=Sud Sardegna~TA=Taranto~TE=Teramo~TR=Terni~TO=Torino~" +
    "TP=Trapani~TN=Trento~TV=Treviso~TS=Trieste~UD=Udine~VA=Varese~VE=Venezia~" +
    "VB=Verbano-Cusio-Ossola~VC=Vercelli~VR=Verona~VV=Vibo Valentia~VI=Vicenza~VT=Viterbo",
  JP:
    "北海道=Hokkaido~青森県=Aomori~岩手県=Iwate~宮城県=Miyagi~秋田県=Akita~山形県=Yamagata~福島県=Fukushima~" +
    "茨城県=Ibaraki~栃木県=Tochigi~群馬県=Gunma~埼玉県=Saitama~千葉県=Chiba~東京都=Tokyo~神奈川県=Kanagawa~新潟県=Niigata~" +
    "富山県=Toyama~石川県=Ishikawa~福井県=Fukui~山梨県=Yamanashi~長野県=Nagano~岐阜県=Gifu~静岡県=Shizuoka~愛知県=Aichi~" +
    "三重県=Mie~滋賀県=Shiga~京都府=Kyoto~大阪府=Osaka~兵庫県=Hyogo~奈良県=Nara~和歌山県=Wakayama~鳥取県=Tottori~" +
    "島根県=Shimane~岡山県=Okayama~広島県=Hiroshima~山口県=Yamaguchi~徳島県=Tokushima~香川県=Kagawa~愛媛県=Ehime~" +
    "高知県=Kochi~福岡県=Fukuoka~佐賀県=Saga~長崎県=Nagasaki~熊本県=Kumamoto~大分県=Oita~宮崎県=Miyazaki~" +
    "鹿児島県=Kagoshima~沖縄県=Okinawa",
  KR:
    "강원도=Gangwon-do~경기도=Gyeonggi-do~경상남도=Gyeongsangnam-do~경상북도=Gyeongsangbuk-do~광주광역시=Gwangju~" +
    "대구광역시=Daegu~대전광역시=Daejeon~부산광역시=Busan~서울특별시=Seoul~세종특별자치시=Sejong~울산광역시=Ulsan~인천광역시=Incheon~" +
    "전라남도=Jeollanam-do~전라북도=Jeollabuk-do~제주특별자치도=Jeju-do~충청남도=Chungcheongnam-do~" +
    "충청북도=Chungcheongbuk-do",
  MX:
    "Ags.=Aguascalientes~B.C.=Baja California~B.C.S.=Baja California Sur~Camp.=Campeche~" +
    "Chis.=Chiapas~Chih.=Chihuahua~CDMX=Ciudad de México~Coah.=Coahuila de Zaragoza~Col.=Colima~" +
    "Dgo.=Durango~Méx.=Estado de México~Gto.=Guanajuato~Gro.=Guerrero~Hgo.=Hidalgo~Jal.=Jalisco~" +
    "Mich.=Michoacán~Mor.=Morelos~Nay.=Nayarit~N.L.=Nuevo León~Oax.=Oaxaca~Pue.=Puebla~" +
    "Qro.=Querétaro~Q.R.=Quintana Roo~S.L.P.=San Luis Potosí~Sin.=Sinaloa~Son.=Sonora~" +
    "Tab.=Tabasco~Tamps.=Tamaulipas~Tlax.=Tlaxcala~Ver.=Veracruz~Yuc.=Yucatán~Zac.=Zacatecas",
  MY:
    "Johor~Kedah~Kelantan~Kuala Lumpur~Labuan~Melaka~Negeri Sembilan~Pahang~Perak~Perlis~" +
    "Pulau Pinang~Putrajaya~Sabah~Sarawak~Selangor~Terengganu",
  TW:
    "台中市=Taichung City~台北市=Taipei City~台東縣=Taitung County~台南市=Tainan City~宜蘭縣=Yilan County~" +
    "花蓮縣=Hualien County~金門縣=Kinmen County~南投縣=Nantou County~屏東縣=Pingtung County~苗栗縣=Miaoli County~" +
    "桃園市=Taoyuan City~高雄市=Kaohsiung City~基隆市=Keelung City~連江縣=Lienchiang County~雲林縣=Yunlin County~" +
    "新北市=New Taipei City~新竹市=Hsinchu City~新竹縣=Hsinchu County~嘉義市=Chiayi City~嘉義縣=Chiayi County~" +
    "彰化縣=Changhua County~澎湖縣=Penghu County",
  US:
    "AL=Alabama~AK=Alaska~AS=American Samoa~AZ=Arizona~AR=Arkansas~AA=Armed Forces (AA)~" +
    "AE=Armed Forces (AE)~AP=Armed Forces (AP)~CA=California~CO=Colorado~CT=Connecticut~" +
    "DE=Delaware~DC=District of Columbia~FL=Florida~GA=Georgia~GU=Guam~HI=Hawaii~ID=Idaho~" +
    "IL=Illinois~IN=Indiana~IA=Iowa~KS=Kansas~KY=Kentucky~LA=Louisiana~ME=Maine~" +
    "MH=Marshall Islands~MD=Maryland~MA=Massachusetts~MI=Michigan~FM=Micronesia~MN=Minnesota~" +
    "MS=Mississippi~MO=Missouri~MT=Montana~NE=Nebraska~NV=Nevada~NH=New Hampshire~NJ=New Jersey~" +
    "NM=New Mexico~NY=New York~NC=North Carolina~ND=North Dakota~MP=Northern Mariana Islands~" +
    "OH=Ohio~OK=Oklahoma~OR=Oregon~PW=Palau~PA=Pennsylvania~PR=Puerto Rico~RI=Rhode Island~" +
    "SC=South Carolina~SD=South Dakota~TN=Tennessee~TX=Texas~UT=Utah~VT=Vermont~VI=Virgin Islands~" +
    "VA=Virginia~WA=Washington~WV=West Virginia~WI=Wisconsin~WY=Wyoming",
};

export interface Region {
  /** As the address has it. */
  readonly value: string;
  /** For people who read another script. */
  readonly name: string;
}

/** The states of a country, in its own order; undefined where an address does not need one. */
export function listRegions(country: string): readonly Region[] | undefined {
  return regions[country]?.split("~").map((entry) => {
    const [value = "", name = value] = entry.split("=");
    return { value, name };
  });
}

let listed: ReadonlySet<string> | undefined;

/** Whether a country's list has this entry: where another country is chosen, it is left over. */
export function isListedRegion(value: string): boolean {
  listed ??= new Set(
    Object.keys(regions).flatMap((code) => (listRegions(code) ?? []).map((one) => one.value)),
  );
  return listed.has(value);
}

/** Countries where mail without one goes astray. */
const needed = new Set(["AE", "AU", "BR", "CA", "CN", "ES", "HK", "IN", "IT", "JP", "KR", "TW", "US"]);

/** Whether an address needs its state, province or prefecture. */
export function needsRegion(country: string): boolean {
  return needed.has(country);
}
