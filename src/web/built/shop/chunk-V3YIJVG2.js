function e(t,n=2){return String(t).padStart(n,"0")}function r(t){if(t===void 0)return"";let n=new Date(t);return`${e(n.getFullYear(),4)}-${e(n.getMonth()+1)}-${e(n.getDate())}`}export{r as a};
