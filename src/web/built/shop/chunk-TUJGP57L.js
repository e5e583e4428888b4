import{e as r}from"./chunk-VU6KBIHS.js";import{i as n,j as t}from"./chunk-G5G3MFDQ.js";function d(){let[e,i]=n();return t(()=>{e!==void 0&&r(e,{replace:!0})},[e]),[e!==void 0,i]}export{d as a};
