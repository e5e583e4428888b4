import{p as o}from"./chunk-DV6PAPX7.js";var r=o([]);export{r as a};
