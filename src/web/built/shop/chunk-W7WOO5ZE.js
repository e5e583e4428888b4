import{e as r}from"./chunk-NN5VVPCJ.js";import{i as n,j as t}from"./chunk-IPNKIY2P.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
