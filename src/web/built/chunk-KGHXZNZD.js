import{p as o}from"./chunk-OJZJLP74.js";var r=o([]);export{r as a};
