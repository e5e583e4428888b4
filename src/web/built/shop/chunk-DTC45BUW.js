import{e as r}from"./chunk-5CIECAOA.js";import{i as n,j as t}from"./chunk-FLBJVC3L.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
