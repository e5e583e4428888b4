import{e as r}from"./chunk-LDHZIU6M.js";import{i as n,j as t}from"./chunk-HW4UD2O4.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
