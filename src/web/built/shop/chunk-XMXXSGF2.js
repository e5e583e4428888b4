function a(r,{min:t,max:n}){let e=/^\d{1,15}$/u.test(r.trim())?Number(r):Number.NaN;return e>=t&&e<=n?e:void 0}export{a};
