import{p as o}from"./chunk-R5KH4OLS.js";var r=o([]);export{r as a};
