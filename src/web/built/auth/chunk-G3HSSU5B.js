import{x as e}from"./chunk-TBKQLFHN.js";var r="/api/admin/roles";function n({id:o,name:t}){return e(`auth.roles.name.${o}`)??t}export{r as a,n as b};
