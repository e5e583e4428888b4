import{a as t}from"./chunk-ULGI4ME3.js";var e;function r(){let{data:n}=t("/api/admin/site",0);return e=n??e,e}export{r as a};
