import{F as o,p as e,q as t}from"./chunk-DV6PAPX7.js";var r=e(o());setInterval(()=>{r.value=o()},1e3);var s=t(()=>Math.floor(r.value/6e4)*6e4);export{r as a,s as b};
