function t(r,{min:o,max:d}){let e=/^\d{1,15}$/u.test(r.trim())?Number(r):Number.NaN;return e>=o&&e<=d?e:void 0}export{t as a};
