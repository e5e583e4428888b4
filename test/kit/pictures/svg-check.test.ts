/** Logos in SVG: what editors write is taken, whatever runs, loads or hides something is refused by name. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findSvgFault } from "../../../src/kit/pictures/svg-check.ts";

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const find = (text: string): string => findSvgFault(new TextEncoder().encode(text)) ?? "";
const svg = (inner: string, attributes = ""): string => `<svg ${NS} ${XLINK} ${attributes}>${inner}</svg>`;

const taken: Readonly<Record<string, string>> = {
  "the least": `<svg ${NS}/>`,
  "a prefix of its own": '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0 0h1v1z"/></s:svg>',
  Illustrator: `\u{feff}<?xml version="1.0" encoding="iso-8859-1"?>\r
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Ebene_1" ${NS} ${XLINK} x="0px" y="0px" viewBox="0 0 9 9" style="enable-background:new 0 0 9 9;" xml:space="preserve">
<style type="text/css"><![CDATA[ .st0{fill:url(#SVGID_1_);} .st1{font-family:'MyriadPro-Regular';} ]]></style>
<linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse" gradientTransform="matrix(1 0 0 -1 0 9)"><stop offset="0" style="stop-color:#FFF"/></linearGradient>
<g><defs><rect id="SVGID_2_" width="9" height="9"/></defs><clipPath id="SVGID_3_"><use xlink:href="#SVGID_2_" style="overflow:visible;"/></clipPath>
<text class="st1" transform="matrix(1 0 0 1 0 0)" data-name="A &amp; B">A &#38; B</text></g></svg>`,
  Inkscape: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="9mm" viewBox="0 0 9 9" ${NS} xmlns:svg="http://www.w3.org/2000/svg"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
  inkscape:version="1.3" sodipodi:docname="größe.svg" inkscape:export-filename="C:\\logo.png">
<sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="1.4"><inkscape:grid type="xygrid" only_visible="true"/></sodipodi:namedview>
<defs><inkscape:path-effect effect="powerstroke" id="pe"/><linearGradient id="a"><stop style="stop-color:#000"/></linearGradient><linearGradient id="b" xlink:href="#a" ${XLINK}/></defs>
<metadata><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></cc:Work></rdf:RDF></metadata>
<g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1"><path style="fill:url(#b);stroke-dasharray:none;-inkscape-stroke:none" d="m 1,1 z" sodipodi:nodetypes="cc"/></g></svg>`,
  Figma: `<svg width="9" height="9" viewBox="0 0 9 9" fill="none" ${NS} ${XLINK}><g clip-path="url(#clip0_1_2)"><mask id="mask0" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="0" y="0"><rect fill="url(#pattern0)"/></mask>
<g filter="url(#filter0_d)"><path fill-rule="evenodd" clip-rule="evenodd" d="M0 0Z" fill="currentColor"/></g></g><defs><filter id="filter0_d" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/>
<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0"/><feBlend mode="normal" in2="BackgroundImageFix"/></filter><pattern id="pattern0" patternContentUnits="objectBoundingBox"><use xlink:href="#image0" transform="scale(0.1)"/></pattern>
<clipPath id="clip0_1_2"><rect/></clipPath><image id="image0" width="1" xlink:href="data:image/png;base64,iVBORw0KGgo="/></defs></svg>`,
  Sketch: `<svg ${NS} xmlns:sketch="http://www.bohemiancoding.com/sketch/ns"><title>Logo</title><desc>Created with Sketch.</desc><g sketch:type="MSPage" stroke="none"><polygon points="0 0 1 1"/></g></svg>`,
  Affinity: `<svg ${NS} xmlns:serif="http://www.serif.com/" xml:space="preserve"><g serif:id="Layer 1"><use href="#a"/></g></svg>`,
  "dark and light": svg(
    "<style>@media (prefers-color-scheme: dark){path{fill:rgb(255 255 255 / .5)}} g:not(.a){opacity:1}</style>",
  ),
  "metadata of Adobe": svg(
    '<metadata><?xpacket begin="" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="1"/><?xpacket end="w"?></metadata>',
  ),
};

/** By what the refusal names. */
const refused: readonly (readonly [named: string, document: string])[] = [
  ['element "script"', svg("<script>alert(1)</script>")],
  ['element "s:script"', `<svg ${NS}><s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script></svg>`],
  ['element "script"', svg('<script xlink:href="data:,alert(1)"/>')],
  ['element "script"', svg("<metadata><script/></metadata>")],
  ['element "h:script"', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>')],
  ['element "script"', svg('<script xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['element "g"', svg('<g xmlns="http://www.w3.org/1999/xhtml"><img/></g>')],
  ['element "math"', svg('<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:1"/>')],
  [
    'element "xi:include"',
    svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'),
  ],
  ['element "handler"', svg('<handler type="text/javascript">1</handler>')],
  ...[
    "foreignObject",
    "iframe",
    "embed",
    "object",
    "audio",
    "video",
    "a",
    "set",
    "animate",
    "animateMotion",
    "discard",
  ].map((name) => [`element "${name}"`, svg(`<${name}/>`)] as const),
  ...[
    "cursor",
    "font-face-uri",
    "color-profile",
    "listener",
    "view",
    "mpath",
    "SCRIPT",
    "Svg",
    "unknown",
  ].map((name) => [`element "${name}"`, svg(`<${name}/>`)] as const),
  ['attribute "onload"', `<svg ${NS} onload="alert(1)"/>`],
  ['attribute "onLoad"', `<svg ${NS} onLoad="alert(1)"/>`],
  ['attribute "onclick"', svg('<path d="M0 0" onclick="alert(1)"/>')],
  ['attribute "onbegin"', svg('<g onbegin="alert(1)"/>')],
  ['attribute "ev:event"', svg('<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>')],
  ['attribute "e:href"', svg('<g xmlns:e="urn:unknown" e:href="x"/>')],
  ['attribute "xml:base"', svg('<use href="#a" xml:base="https://evil.example/"/>')],
  ['attribute "xmlns:xml"', svg('<g xmlns:xml="http://www.inkscape.org/namespaces/inkscape" xml:base="x"/>')],
  ['attribute "onload"', svg('<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape" onload="1"/>')],
  ['attribute "xlink:href"', svg('<i:x xmlns:i="http://ns.adobe.com/" xlink:href="javascript:1"/>')],
  ...[
    "javascript:alert(1)",
    "&#106;avascript:alert(1)",
    "java&#10;script:alert(1)",
    " data:image/svg+xml;base64,PHN2Zz4=#a",
    "https://evil.example/a.svg#b",
    "//evil.example",
    "a.svg#b",
    "data:text/html,x",
  ].map((address) => ["refers to", svg(`<use xlink:href="${address}"/>`)] as const),
  ["refers to", svg('<image href="https://evil.example/pixel.png"/>')],
  ["refers to", svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
  ["refers to", svg('<filter><feImage xlink:href="https://evil.example/"/></filter>')],
  ["refers to", svg('<rect fill="url(https://evil.example/#a)"/>')],
  ["refers to", svg('<rect mask="url( &quot;//evil.example#a&quot; )"/>')],
  ["refers to", svg('<rect style="background:URL(data:image/png;base64,AAAA)"/>')],
  ["backslash", svg('<rect style="fill:u\\72l(https://evil.example)"/>')],
  ["backslash", svg("<style>@im\\70ort 'x';</style>")],
  ['"@import"', svg("<style>@import 'https://evil.example/a.css';</style>")],
  ['"@font-face"', svg("<style>@font-face{font-family:a}</style>")],
  ["refers to", svg("<style>u<!-- -->rl(https://evil.example)</style>")],
  ["refers to", svg("<style>a{b:ur<![CDATA[l(https://evil.example)]]>}</style>")],
  ["refers to", svg("<style>&#117;rl(x)</style>")],
  ['"image-set(…)"', svg("<style>a{b:image-set('https://evil.example/x' 1x)}</style>")],
  ['"expression(…)"', svg('<g style="width:expression(alert(1))"/>')],
  ["refers to", svg('<g style="-moz-binding:url(https://evil.example/x.xml#x)"/>')],
  ['instruction "<?xml-stylesheet"', `<?xml-stylesheet href="javascript:1"?>${svg("")}`],
  ['instruction "<?php"', svg("<?php system('id') ?>")],
  ["a DOCTYPE with declarations", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg("&x;")}`],
  ["a DOCTYPE with declarations", `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg("")}`],
  ["a DOCTYPE with declarations", `<!DOCTYPE html>${svg("")}`],
  ["a DOCTYPE with declarations", `${svg("")}<!DOCTYPE svg>`],
  ['entity "&lol;"', svg("&lol;")],
  ['entity "&#0;"', svg("&#0;")],
  ["without quotes", `<svg onload=alert(1) ${NS}>`],
  ['the tag "<svg"', "<svg/onload=alert(1)>"],
  ["without quotes", svg("<g id=a/>")],
  ['the attribute "id"', svg('<g id="a" id="b"/>')],
  ['the attribute "id"', svg('<g id="<script>"/>')],
  ['encoding "utf-7"', `<?xml version="1.0" encoding="UTF-7"?>${svg("")}`],
  ['encoding "iso-8859-1"', `<?xml version="1.0" encoding="ISO-8859-1"?>${svg("é")}`],
  ["control characters", svg("\u{0}")],
  ["not an SVG picture", "<html/>"],
  ["not an SVG picture", "<svg/>"],
  ["not an SVG picture", ""],
  ['the element "svg" after the root element', `${svg("")}${svg("")}`],
  ["text outside", `${svg("")}x`],
  ['closes the element "b"', svg("<g></b>")],
  ['never closes the element "svg"', `<svg ${NS}>`],
  ["nests more than 100", svg("<g>".repeat(101) + "</g>".repeat(101))],
  [
    "paints more than 100000",
    svg(
      Array.from({ length: 9 }, (_, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(10)}</g>`).join(
        "",
      ) + '<rect id="a0"/>',
    ),
  ],
];

describe("findSvgFault", () => {
  for (const [name, document] of Object.entries(taken))
    it(`takes what is written by ${name}`, () => assert.equal(find(document), ""));

  it("refuses whatever runs, loads or hides something, by its name and with what to do", () => {
    for (const [named, document] of refused) {
      const fault = find(document);
      assert.ok(fault.includes(named), `${document.slice(0, 120)}: ${fault}`);
      assert.ok(fault.endsWith(": export it as a plain SVG, or as a PNG"), fault);
    }
  });

  it("follows parts that use each other in a circle to an end", () => {
    assert.equal(find(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')), "");
  });

  it("refuses bytes that are not UTF-8", () => {
    const utf16 = new Uint8Array(Buffer.from(`\u{feff}${svg("")}`, "utf16le"));
    assert.match(findSvgFault(utf16) ?? "", /^is not encoded in UTF-8/u);
  });

  it("answers for any text", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "svg",
      "g",
      " ",
      '"',
      "'",
      "=",
      "&",
      ";",
      "<!--",
      "-->",
      "]]>",
      "<?",
      "?>",
      "a:b",
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => find(pieces.join("")) !== ""));
  });
});
