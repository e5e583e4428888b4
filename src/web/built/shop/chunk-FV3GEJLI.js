import{e as r}from"./chunk-N7HZMV3Y.js";import{i as n,j as t}from"./chunk-Z2UOUYKV.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
