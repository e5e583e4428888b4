import{e as r}from"./chunk-7TWZ4ZK4.js";import{i as n,j as t}from"./chunk-ZD3SLJPY.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
