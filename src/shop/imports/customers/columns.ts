/** The columns of files with customers. */
import { createColumns } from "../columns.ts";

const customerFields = [
  "email",
  "name",
  "firstName",
  "lastName",
  "company",
  "phone",
  "vatId",
  "street",
  "street2",
  "city",
  "region",
  "postalCode",
  "country",
  "countryCode",
  "addressPhone",
  "tags",
  "note",
  "marketing",
  "consentAt",
  "consentSource",
  "since",
  "taxExempt",
  "shipFirstName",
  "shipLastName",
  "shipCompany",
  "shipStreet",
  "shipStreet2",
  "shipCity",
  "shipRegion",
  "shipPostalCode",
  "shipCountry",
  "shipPhone",
] as const;
export type CustomerField = (typeof customerFields)[number];

/** Headers of Shopify, WooCommerce and its export plugins, Gumroad and Lemon Squeezy, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<CustomerField, string>> = {
  email:
    "email|e mail|email address|user email|customer email|billing email|purchase email|follower email|subscriber email|e mail adresse|mail|adresse e mail|courriel|correo|correo electrónico|indirizzo email|e mailadres|endereço de e mail|adres e mail|邮箱|电子邮件|电子邮箱|邮箱地址|メールアドレス",
  name: "name|full name|customer name|display name|buyer name|kunde|kundenname|nom complet|nombre completo|nome completo|姓名|客户名称|名前",
  firstName:
    "first name|firstname|given name|billing first name|vorname|prénom|nombre|voornaam|primeiro nome|imię|名",
  lastName:
    "last name|lastname|surname|family name|billing last name|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|achternaam|sobrenome|apelido|nazwisko|姓",
  company:
    "company|company name|billing company|default address company|organization|firma|unternehmen|société|entreprise|empresa|azienda|bedrijf|公司|会社名",
  phone:
    "phone|phone number|telephone|mobile|billing phone|telefon|telefonnummer|handy|téléphone|teléfono|telefono|telefoon|telefone|电话|手机|电话号码|電話番号",
  vatId:
    "vat id|vat number|vat|tax id|billing vat|billing vat number|billing eu vat number|vat reg no|eu vat number|ust idnr|ust id|ust id nr|umsatzsteuer id|steuernummer|numéro de tva|n° tva|nif|partita iva|btw nummer|nip|税号",
  street:
    "address1|address 1|address|address line 1|street|street address|billing address 1|default address address1|straße|strasse|straße und hausnummer|anschrift|rue|adresse|dirección|calle|indirizzo|via|adres|straat|endereço|rua|ulica|地址|街道|住所",
  street2:
    "address2|address 2|address line 2|billing address 2|default address address2|adresszusatz|complément d adresse|dirección 2|地址2",
  city: "city|town|billing city|default address city|ort|stadt|ville|ciudad|città|plaats|stad|cidade|miasto|城市|市",
  region:
    "province|province code|state|region|state province|billing state|default address province code|default address province|bundesland|région|provincia|estado|provincie|省|州|都道府県",
  postalCode:
    "zip|zip code|postal code|postcode|postalcode|billing postcode|default address zip|plz|postleitzahl|code postal|código postal|cap|postcode|kod pocztowy|邮编|邮政编码|郵便番号",
  country:
    "country|country region|billing country|default address country|land|pays|país|paese|kraj|国家|国家 地区|国",
  countryCode: "country code|default address country code|ländercode|code pays|国家代码",
  addressPhone: "default address phone",
  tags: "tags|tag|labels|schlagwörter|schlagworte|étiquettes|etiquetas|标签",
  note: "note|notes|comment|comments|customer note|notiz|notizen|bemerkung|kommentar|remarque|commentaire|nota|notas|备注|メモ",
  marketing:
    "accepts email marketing|accepts marketing|email marketing consent|marketing|marketing consent|newsletter|subscribed|opt in|marketing opt in|werbung erlaubt|werbeeinwilligung|accepte le marketing|acepta marketing|接受营销|订阅",
  consentAt:
    "consent date|consent at|marketing consent date|email marketing consent updated at|accepts marketing updated at|opt in date|opted in at|optin time|confirm time|subscribed at|subscribed time|followed time|subscription date|newsletter since|einwilligung am|datum der einwilligung|date de consentement|fecha de consentimiento|同意日期|订阅时间",
  consentSource:
    "consent source|marketing opt in level|email marketing consent opt in level|opt in source|optin ip|quelle der einwilligung|source du consentement|同意来源",
  since:
    "created at|date registered|registration date|user registered|sign up|signed up|customer since|date created|kunde seit|registriert am|date d inscription|fecha de registro|注册时间|注册日期",
  taxExempt: "tax exempt|is vat exempt|tax exempted|steuerbefreit|exonéré de tva|exento de impuestos|免税",
  shipFirstName: "shipping first name",
  shipLastName: "shipping last name",
  shipCompany: "shipping company",
  shipStreet: "shipping address 1|lieferadresse",
  shipStreet2: "shipping address 2",
  shipCity: "shipping city",
  shipRegion: "shipping state",
  shipPostalCode: "shipping postcode",
  shipCountry: "shipping country",
  shipPhone: "shipping phone",
};

export const customerColumns = createColumns<CustomerField>({
  fields: customerFields,
  words,
  differing: {
    // The address of the buyer's account at Gumroad is not the one that they bought with.
    gumroad: { "buyer email": "", "purchase date": "since", name: "" },
    lemonsqueezy: { status: "marketing" },
  },
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    if (has("billing first name") || has("user login", "user email") || has("username", "aov"))
      return "woocommerce";
    if (
      has("first name", "last name", "email") &&
      (keys.has("total orders") || keys.has("accepts email marketing"))
    )
      return "shopify";
    if (has("purchase email") || has("follower email") || has("subscriber email")) return "gumroad";
    if (has("email", "mrr") || has("email", "total revenue currency")) return "lemonsqueezy";
    return undefined;
  },
});
