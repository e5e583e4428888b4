import{m as e,o as t}from"./chunk-BNN3BBQ3.js";function r({section:n}){return t("h1",{children:[e("header.admin"),": ",n]})}export{r as AdminPage};
