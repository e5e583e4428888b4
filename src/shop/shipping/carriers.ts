/** Where parcels of known carriers are followed, from memory: none of these addresses was opened from here. One that is typed on an order takes precedence. */

const templates: Readonly<Record<string, string>> = {
  dhl: "https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode={number}",
  dhlexpress: "https://www.dhl.com/en/express/tracking.html?AWB={number}",
  deutschepost: "https://www.deutschepost.de/de/s/sendungsverfolgung.html?piececode={number}",
  dpd: "https://tracking.dpd.de/status/de_DE/parcel/{number}",
  gls: "https://gls-group.com/DE/de/paketverfolgung?match={number}",
  hermes: "https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#{number}",
  ups: "https://www.ups.com/track?tracknum={number}",
  fedex: "https://www.fedex.com/fedextrack/?trknbr={number}",
  usps: "https://tools.usps.com/go/TrackConfirmAction?tLabels={number}",
  royalmail: "https://www.royalmail.com/track-your-item#/tracking-results/{number}",
  laposte: "https://www.laposte.fr/outils/suivre-vos-envois?code={number}",
  colissimo: "https://www.laposte.fr/outils/suivre-vos-envois?code={number}",
  post: "https://www.post.at/sv/sendungsdetails?snr={number}",
  sf: "https://www.sf-express.com/chn/sc/waybill/waybill-detail/{number}",
  顺丰: "https://www.sf-express.com/chn/sc/waybill/waybill-detail/{number}",
};

/** The address where a parcel is followed; "" for carriers that are not known, and without a number. */
export function toTrackingUrl(carrier: string, trackingNumber: string): string {
  const name = carrier.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");
  const number = trackingNumber.replaceAll(/\s/gu, "");
  const template = Object.hasOwn(templates, name) ? (templates[name] ?? "") : "";
  return number === "" ? "" : template.replace("{number}", () => encodeURIComponent(number));
}
