var n="/api/admin/users";function i(e,r=""){return`${n}/${e}${r}`}export{n as a,i as b};
