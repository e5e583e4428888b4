/**
 * The contents of an SVG picture: elements, attributes, namespaces of editors and CSS functions that a logo may have.
 */

const words = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/u).filter((word) => word !== ""));

export const SVG = "http://www.w3.org/2000/svg";
export const XLINK = "http://www.w3.org/1999/xlink";
export const XML = "http://www.w3.org/XML/1998/namespace";

/** Shapes, text, paint, filters. Left out: scripts, links, foreign content, animations, fonts, sound and film. */
export const svgElements: ReadonlySet<string> = words(`
  svg g defs symbol use switch title desc metadata style
  path rect circle ellipse line polyline polygon image text tspan tref textPath
  linearGradient radialGradient meshgradient meshpatch meshrow stop pattern hatch hatchpath solidColor
  clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`);

/** SVG 2 and SVG 1.1 without events; what a browser does with each is paint or place something. */
export const svgAttributes: ReadonlySet<string> = words(`
  id class style lang role tabindex focusable title name version baseProfile contentScriptType contentStyleType
  x y width height viewBox preserveAspectRatio zoomAndPan transform transform-origin transform-box
  d points cx cy r rx ry fx fy fr x1 y1 x2 y2 dx dy rotate pathLength textLength lengthAdjust startOffset method
  spacing side path enable-background overflow clip display visibility opacity isolation mix-blend-mode vector-effect
  paint-order cursor pointer-events shape-rendering text-rendering image-rendering color-rendering
  color color-interpolation color-interpolation-filters color-profile fill fill-opacity fill-rule stroke stroke-width
  stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset
  stop-color stop-opacity solid-color solid-opacity flood-color flood-opacity lighting-color
  clip-path clip-rule mask mask-type filter marker marker-start marker-mid marker-end
  font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight font-feature-settings
  letter-spacing word-spacing line-height text-anchor text-align text-decoration text-indent text-overflow
  white-space inline-size shape-inside shape-padding dominant-baseline alignment-baseline baseline-shift direction
  unicode-bidi writing-mode glyph-orientation-vertical glyph-orientation-horizontal kerning
  gradientUnits gradientTransform spreadMethod offset pattern patternUnits patternContentUnits patternTransform pitch
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits filterRes primitiveUnits in in2 result stdDeviation mode type values operator k1 k2 k3 k4 order
  kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant
  specularConstant specularExponent azimuth elevation pointsAtX pointsAtY pointsAtZ limitingConeAngle z scale
  xChannelSelector yChannelSelector radius tableValues slope intercept amplitude exponent baseFrequency numOctaves
  seed stitchTiles requiredFeatures requiredExtensions systemLanguage href media externalResourcesRequired
  crossorigin decoding label t p-id spm-anchor-id alt`);

/** Editors keep notes in these namespaces, which browsers do not paint. */
const editors: readonly string[] = [
  "http://www.inkscape.org/namespaces/inkscape",
  "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
  "http://inkscape.sourceforge.net/DTD/sodipodi-0.dtd",
  "http://www.openswatchbook.org/uri/2009/osb",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "http://www.w3.org/2000/01/rdf-schema#",
  "http://purl.org/dc/",
  "http://creativecommons.org/ns#",
  "http://web.resource.org/cc/",
  "http://ns.adobe.com/",
  "adobe:ns:meta/",
  "http://www.bohemiancoding.com/sketch/ns",
  "http://www.figma.com/figma/ns",
  "http://www.serif.com/",
  "http://vectornator.io",
  "http://krita.org/namespaces/svg/krita",
  "http://www.corel.com/",
  "http://schemas.microsoft.com/visio/2003/SVGExtensions/",
  "http://schemas.corel.com/",
  "https://boxy-svg.com",
  "https://svgator.com",
  "https://www.gtk.org/grappa",
  "http://www.vectorstyler.com/",
];

/** Whether a namespace is one of those that editors keep notes in. */
export function isEditors(namespace: string): boolean {
  return editors.some((known) => namespace.startsWith(known));
}

/** Functions of CSS and of presentation attributes; `url` leads to the picture's own parts. */
export const cssFunctions: ReadonlySet<string> = words(`
  url rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix device-cmyk icc-color var calc min max clamp
  matrix translate translatex translatey scale scalex scaley rotate skewx skewy skew
  matrix3d translate3d translatez scale3d rotate3d rotatex rotatey rotatez perspective
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  inset circle ellipse polygon path rect cubic-bezier steps linear
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  not is where nth-child nth-of-type nth-last-child and or prefers-color-scheme format`);

/** Rules of CSS that load nothing. */
export const cssRules: ReadonlySet<string> = words(
  "media supports keyframes -webkit-keyframes charset layer property",
);
