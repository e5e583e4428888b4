/** Colors that options have by name, to be shown beside it. */

/** Names of options whose values are colors. */
const optionNames = /^(?:colou?rs?|farben?|couleurs?|颜色|颜色分类|色)$/iu;

const named: Readonly<Record<string, string>> = {
  "#111111": "black schwarz noir 黑 黑色",
  "#ffffff": "white weiß weiss blanc 白 白色",
  "#8a8d8f": "gray grey grau gris 灰 灰色",
  "#c9ccd0": "silver silber argent 银 银色",
  "#3f4448": "anthracite anthrazit graphite graphit charcoal",
  "#f4efe1": "cream creme ecru ivory elfenbein 米 米色 米白",
  "#d9c5a0": "beige sand",
  "#6b4a2f": "brown braun marron 棕 棕色 褐色",
  "#c62828": "red rot rouge 红 红色",
  "#7b1f2e": "burgundy bordeaux weinrot wine 酒红",
  "#e07a1f": "orange 橙 橙色",
  "#b5532a": "terracotta terrakotta rust rost",
  "#f2c230": "yellow gelb jaune 黄 黄色",
  "#c79a2b": "gold mustard senf 金 金色",
  "#2f4f3a": "forest tanne waldgrün dunkelgrün dark-green bottle",
  "#5b6670": "slate schiefer",
  "#9c4a36": "brick ziegel",
  "#2e7d45": "green grün gruen vert 绿 绿色",
  "#6b7a3a": "olive oliv khaki",
  "#9fb8a3": "sage salbei mint",
  "#1f8a8a": "teal turquoise türkis petrol 青 青色",
  "#2159b8": "blue blau bleu 蓝 蓝色",
  "#8fbfe8": "light-blue hellblau sky 浅蓝 天蓝",
  "#1c2a4a": "navy marine dunkelblau dark-blue 深蓝 藏青",
  "#6b3fa0": "purple violet lila violett 紫 紫色",
  "#e58fb1": "pink rosa rose 粉 粉色 粉红",
  "#b06a4a": "copper kupfer",
};

const byName = new Map(
  Object.entries(named).flatMap(([color, names]) => names.split(" ").map((name) => [name, color] as const)),
);

/** The color of a value such as "Dark blue" or "#1c2a4a"; undefined for one that is not known. */
function findColor(value: string): string | undefined {
  const name = value.trim().toLowerCase();
  if (/^#[\da-f]{6}$/u.test(name)) return name;
  return byName.get(name) ?? byName.get(name.replaceAll(/[\s_]+/gu, "-"));
}

/** The colors of an option's values in their order; undefined unless all of them are colors. */
export function findSwatches(name: string, values: readonly string[]): readonly string[] | undefined {
  if (!optionNames.test(name.trim())) return undefined;
  const colors = values.map(findColor);
  return colors.every((color) => color !== undefined) ? colors : undefined;
}
