import{p as o}from"./chunk-CY5XQQHA.js";var r=o([]);export{r as a};
