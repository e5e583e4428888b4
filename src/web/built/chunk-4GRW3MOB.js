import{p as o}from"./chunk-BIBY43IW.js";var r=o([]);export{r as a};
