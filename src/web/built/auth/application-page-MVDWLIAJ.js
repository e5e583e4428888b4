import{a as ee,b as te,c as oe,d as re}from"./chunk-PKZKSMF4.js";import{a as L}from"./chunk-DFE3NGSQ.js";import{a as N,c as O,i as T,j as U,k as W,l as H,m as M,n as j,o as K,p as A,q as b,r as y,s as Q,t as Y,u as Z}from"./chunk-UI6QZN7V.js";import{c as z,d as m}from"./chunk-BLZXCQZH.js";import"./chunk-ZDPJJYAB.js";import{a as I}from"./chunk-W2AYDVSS.js";import"./chunk-3IDWCO5P.js";import{e as E}from"./chunk-YAHMB4CM.js";import"./chunk-XGKBJIEQ.js";import{b as J}from"./chunk-POWGGTSZ.js";import{N as X,R as e,S as D,T as v,_ as q,c as $,ea as F,fa as S,ga as c,i as d,ia as G,ka as R,la as f,ma as V,na as B,x as o}from"./chunk-WJLAO5C2.js";function ie({part:i}){let{form:r,errors:t}=i,a=A.some(({key:p,usual:l})=>F(t,`/${p}`)!==void 0||!ee(r[p]??l,l));return e("details",{class:"fold",open:a,children:[e("summary",{children:o("auth.applications.advanced")}),e("div",{class:"stack",children:[r.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(D,{name:"alert"}),e("span",{children:o("auth.applications.requirePkce.off")})]}),e(m,{specs:A,part:i})]})]})}function ae({id:i}){let{data:r,error:t,refresh:a}=T();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:o("auth.connection.title")}),e("p",{class:"field-hint",children:o("auth.connection.hint")}),t&&e(c,{message:S(t),onRetry:()=>{a()}}),r&&e(W,{issuer:r.issuer}),r&&e(U,{fields:[[o("auth.applications.id"),i],[o("auth.connection.issuer"),r.issuer],[o("auth.connection.discovery"),O(r)],[o("auth.connection.authorization"),r.authorization_endpoint],[o("auth.connection.token"),r.token_endpoint],[o("auth.connection.userinfo"),r.userinfo_endpoint]]})]})}var k=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By"],fe=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function C(i){return`auth_${i.toLowerCase().replaceAll("-","_")}`}function _(i,r){return i.map(t=>r+t).join(`
`)}function ye(i){let{protocol:r,port:t}=new URL(i);return r==="https:"?`listen ${t||"443"} ssl;`:`listen ${t||"80"};`}function ne(i){let r=[...new Set(i.map(a=>new URL(a).hostname))],t=_(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;","proxy_set_header X-Forwarded-Host $http_host;","proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
${_([...new Set(i.map(ye))],"    ")}
    server_name ${r.join(" ")};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${_(k.map(a=>`auth_request_set $${C(a)} $upstream_http_x_${C(a)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
${_(k.map(a=>`proxy_set_header X-Auth-${a} $${C(a)};`),"        ")}
        proxy_set_header X-Auth-Client "";
        proxy_set_header Authorization "";
    }

    location /.trivet/ {
        auth_request off;
        proxy_pass http://127.0.0.1:8082;
${t}
    }

    location = /_auth {
        internal;
        auth_request off;
        proxy_pass http://127.0.0.1:8082/api/auth/forward;
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
${t}
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
}`}function _e(i){let{protocol:r,host:t,port:a}=new URL(i);return r==="https:"&&a===""?t:i}function se(i){let r=["-X-Auth-*",...fe.map(t=>t==="`"?'"-*`*"':`-*${t}*`)];return`${i.map(_e).join(", ")} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082
	}

	handle {
		route {
${_(r.map(t=>`request_header ${t}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward?
				copy_headers ${k.map(t=>`X-Auth-${t}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up -Authorization
			}
		}
	}
}`}var ge={nginx:ne,caddy:se};function pe({origins:i}){let[r,t]=d("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:o("auth.applications.lines")}),e(q,{label:o("auth.applications.lines.proxy"),value:r,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"}],onChange:t}),e("p",{class:"field-hint",children:o("auth.applications.lines.hint")}),e(V,{label:o("auth.applications.lines"),value:ge[r](i)})]})}var le={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function de(i){let{application:r,dirty:t,onChanged:a}=i,{id:p,name:l,hasOlderSecret:g}=r,[n,s]=d(),[u,x]=d(),w=G();async function ce(h){let{path:ue,method:he}=le[h],P=await X(`${y(p)}/${ue}`,{method:he});s(void 0),"secret"in P&&x(P),a(P)}let me=g?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:o("auth.applications.secret.title")}),e("p",{class:"field-hint",children:o(g?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[me.map(h=>e(v,{icon:"key",disabled:t,onClick:()=>s(h),children:o(`auth.applications.secret.${h}`)},h)),t&&e("span",{class:"field-hint",children:o("auth.applications.saveFirst")})]}),n&&e(J,{title:o(`auth.applications.secret.${n}`),action:o(`auth.applications.secret.${n}`),danger:le[n].isDangerous,busy:w.busy,onConfirm:()=>{w.run(()=>ce(n))},onClose:()=>s(void 0),children:[w.message!==void 0&&e(c,{message:w.message}),e("p",{children:o(`auth.applications.secret.${n}.text`,{name:l})})]}),u&&e(Z,{made:u,onClose:()=>x(void 0)})]})}var xe=z(b),we=b.map(({key:i})=>`/${i}`);function $e({stored:i}){let r=re(i,Q),{base:t,form:a,dirty:p,task:l}=r,[g,n]=d(!1),s={form:a,errors:l.errors,onChange:r.change},{allowedGroups:u}=a;return e($,{children:[e(R,{title:e($,{children:[t.name," ",!t.enabled&&e(B,{kind:"warn",children:o("auth.applications.off")})]}),children:e(v,{icon:"trash",kind:"danger",disabled:p,onClick:()=>n(!0),children:o("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(te.Provider,{value:xe,children:e(oe,{label:t.name,editor:r,pointers:we,children:[e(f,{title:o("auth.applications.about"),children:e(m,{specs:H,part:s})}),e(f,{title:o("auth.applications.who"),children:e(N,{allowed:Array.isArray(u)?u:[],error:F(l.errors,"/allowedGroups"),onChange:x=>r.change({allowedGroups:x})})}),e(f,{title:o("auth.applications.signIn"),hint:o("auth.applications.signIn.hint"),children:[e(m,{specs:[...j,K],part:s}),e(ie,{part:s})]}),e(f,{title:o("auth.applications.proxy"),hint:o("auth.applications.proxy.hint"),children:e(m,{specs:M,part:s})})]})}),e("div",{class:"stack",children:[e(Y,{application:t}),e(ae,{id:t.id}),t.clientType==="confidential"&&e(de,{application:t,dirty:p,onChanged:r.begin}),t.protectedOrigins.length>0&&e(pe,{origins:t.protectedOrigins})]})]}),g&&e(L,{title:o("auth.applications.delete"),path:y(t.id),name:t.name,onDone:async()=>E("/admin/applications",{replace:!0}),onClose:()=>n(!1),children:o("auth.applications.delete.text",{name:t.name})})]})}function vt({id:i}){let{data:r,error:t,refresh:a}=I(y(i),0);return e($,{children:[e("p",{class:"crumbs",children:e("a",{href:"/admin/applications",children:o("auth.nav.applications")})}),t&&e(c,{message:S(t),onRetry:()=>{a()}}),r===void 0&&t===void 0&&e("p",{class:"empty",children:o("page.loading")}),r&&e($e,{stored:r})]})}export{vt as ApplicationPage};
