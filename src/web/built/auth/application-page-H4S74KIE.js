import{a as te,b as oe,c as re,d as ie,e as ae,f as c}from"./chunk-2VPXK3PX.js";import"./chunk-MAEWHE2K.js";import{a as U}from"./chunk-O2JWFBAG.js";import{a as N,c as O,i as T,j as W,k as z,l as M,m as j,n as K,o as Q,p as P,q as b,r as f,s as Y,t as Z,u as ee}from"./chunk-5NFK6Z4H.js";import"./chunk-4PWS6X2H.js";import{a as I}from"./chunk-XUT6HQRI.js";import"./chunk-XDOIQWDV.js";import"./chunk-K5DFMXVD.js";import"./chunk-GJOJDIN2.js";import{b as J}from"./chunk-YH2OX4ZM.js";import{$ as E,F as X,R as k,W as w,Z as D,_ as e,aa as F,c as $,h as l,ha as q,ka as v,ma as G,oa as L,pa as B,qa as H,ra as h,sa as R,ta as V,w as o}from"./chunk-7SBDNSO6.js";function ne({part:i}){let{form:t,errors:r}=i,a=P.some(({key:n,usual:p})=>w(r,`/${n}`)!==void 0||p!==void 0&&!te(t[n]??p,p));return e("details",{class:"fold",open:a,children:[e("summary",{children:o("auth.applications.advanced")}),e("div",{class:"stack",children:[t.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(E,{name:"alert"}),e("span",{children:o("auth.applications.requirePkce.off")})]}),e(c,{specs:P,part:i})]})]})}function se({id:i}){let{data:t,error:r,refresh:a}=T();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:o("auth.connection.title")}),e("p",{class:"field-hint",children:o("auth.connection.hint")}),r&&e(v,{message:D(r),onRetry:()=>{a()}}),t&&e(z,{issuer:t.issuer}),t&&e(W,{fields:[[o("auth.applications.id"),i],[o("auth.connection.issuer"),t.issuer],[o("auth.connection.discovery"),O(t)],[o("auth.connection.authorization"),t.authorization_endpoint],[o("auth.connection.token"),t.token_endpoint],[o("auth.connection.userinfo"),t.userinfo_endpoint]]})]})}var S=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By"],_e=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function C(i){return`auth_${i.toLowerCase().replaceAll("-","_")}`}function y(i,t){return i.map(r=>t+r).join(`
`)}function ge(i){let{protocol:t,port:r}=new URL(i);return t==="https:"?`listen ${r||"443"} ssl;`:`listen ${r||"80"};`}function xe(i){let{host:t,hostname:r}=new URL(i),a=y(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;",`proxy_set_header X-Forwarded-Host ${t};`,"proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
    ${ge(i)}
    server_name ${r};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${y(S.map(n=>`auth_request_set $${C(n)} $upstream_http_x_${C(n)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host ${t};
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host ${t};
${y(S.map(n=>`proxy_set_header X-Auth-${n} $${C(n)};`),"        ")}
        proxy_set_header X-Auth-Client "";
        proxy_set_header Authorization "";
    }

    location /.trivet/ {
        auth_request off;
        proxy_pass http://127.0.0.1:8082;
${a}
    }

    location = /_auth {
        internal;
        auth_request off;
        proxy_pass http://127.0.0.1:8082/api/auth/forward;
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
${a}
        proxy_set_header Accept application/json;
        proxy_set_header Sec-Fetch-Mode cors;
        proxy_connect_timeout 2s;
        proxy_read_timeout 2s;
    }

    location @auth_down {
        auth_request off;
        add_header Retry-After 5 always;
        return 503;
    }
}`}function pe(i){return i.map(xe).join(`

`)}function $e(i){let{protocol:t,host:r,port:a}=new URL(i);return t==="https:"&&a===""?r:i}function we(i){let{host:t}=new URL(i),r=["-X-Auth-*",..._e.map(a=>a==="`"?'"-*`*"':`-*${a}*`)];return`${$e(i)} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082 {
			header_up X-Forwarded-Host ${t}
		}
	}

	handle {
		route {
${y(r.map(a=>`request_header ${a}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward?
				header_up X-Forwarded-Host ${t}
				copy_headers ${S.map(a=>`X-Auth-${a}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up Host ${t}
				header_up X-Forwarded-Host ${t}
				header_up -Authorization
${y(S.map(a=>`header_up X-Auth-${a} {http.request.header.X-Auth-${a}}`),"				")}
			}
		}
	}
}`}function de(i){return i.map(we).join(`

`)}var Fe={nginx:pe,caddy:de};function le({origins:i}){let[t,r]=l("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:o("auth.applications.lines")}),e(q,{label:o("auth.applications.lines.proxy"),value:t,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"}],onChange:r}),e("p",{class:"field-hint",children:o("auth.applications.lines.hint")}),e(R,{label:o("auth.applications.lines"),value:Fe[t](i)})]})}var ce={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function me(i){let{application:t,dirty:r,onChanged:a}=i,{id:n,name:p,hasOlderSecret:_}=t,[s,d]=l(),[m,g]=l(),x=G();async function ue(u){let{path:fe,method:ye}=ce[u],A=await k(`${f(n)}/${fe}`,{method:ye});d(void 0),"secret"in A&&g(A),a(A)}let he=_?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:o("auth.applications.secret.title")}),e("p",{class:"field-hint",children:o(_?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[he.map(u=>e(F,{icon:"key",disabled:r,onClick:()=>d(u),children:o(`auth.applications.secret.${u}`)},u)),r&&e("span",{class:"field-hint",children:o("auth.applications.saveFirst")})]}),s&&e(J,{title:o(`auth.applications.secret.${s}`),action:o(`auth.applications.secret.${s}`),danger:ce[s].isDangerous,busy:x.busy,onConfirm:()=>{x.run(()=>ue(s))},onClose:()=>d(void 0),children:[x.message!==void 0&&e(v,{message:x.message}),e("p",{children:o(`auth.applications.secret.${s}.text`,{name:p})})]}),m&&e(ee,{made:m,onClose:()=>g(void 0)})]})}var ve=ae(b),Se=b.map(({key:i})=>`/${i}`);function Ae({stored:i}){let t=ie(i,Y),{base:r,form:a,dirty:n,task:p}=t,[_,s]=l(!1),d={form:a,errors:p.errors,onChange:t.change},{allowedGroups:m}=a;return e($,{children:[e(L,{title:e($,{children:[r.name," ",!r.enabled&&e(V,{kind:"warn",children:o("auth.applications.off")})]}),children:e(F,{icon:"trash",kind:"danger",disabled:n,onClick:()=>s(!0),children:o("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(oe.Provider,{value:ve,children:e(re,{label:r.name,editor:t,pointers:Se,children:[e(h,{title:o("auth.applications.about"),children:e(c,{specs:M,part:d})}),e(h,{title:o("auth.applications.who"),children:e(N,{allowed:Array.isArray(m)?m:[],error:w(p.errors,"/allowedGroups"),onChange:g=>t.change({allowedGroups:g})})}),e(h,{title:o("auth.applications.signIn"),hint:o("auth.applications.signIn.hint"),children:[e(c,{specs:[...K,Q],part:d}),e(ne,{part:d})]}),e(h,{title:o("auth.applications.proxy"),hint:o("auth.applications.proxy.hint"),children:e(c,{specs:j,part:d})})]})}),e("div",{class:"stack",children:[e(Z,{application:r}),e(se,{id:r.id}),r.clientType==="confidential"&&e(me,{application:r,dirty:n,onChanged:t.begin}),r.protectedOrigins.length>0&&e(le,{origins:r.protectedOrigins})]})]}),_&&e(U,{title:o("auth.applications.delete"),path:f(r.id),name:r.name,onDone:async()=>X("/admin/applications",{replace:!0}),onClose:()=>s(!1),children:o("auth.applications.delete.text",{name:r.name})})]})}function Pt({id:i}){let t=I(f(i),0);return e($,{children:[e(H,{to:"/admin/applications",label:"auth.nav.applications"}),e(B,{of:t,children:r=>e(Ae,{stored:r})})]})}export{Pt as ApplicationPage};
