function l(n,{from:e,to:a}){let r=Math.max(0,Math.min(n.length-1,a)),t=n[e];if(t===void 0||r===e)return n;let o=n.filter((i,c)=>c!==e);return[...o.slice(0,r),t,...o.slice(r)]}export{l as a};
