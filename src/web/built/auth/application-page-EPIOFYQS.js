import{a as te,b as oe,c as re,d as ie,e as ae,f as c}from"./chunk-2VPXK3PX.js";import"./chunk-MAEWHE2K.js";import{a as O}from"./chunk-O2JWFBAG.js";import{a as T,c as U,i as W,j as z,k as H,l as M,m as j,n as K,o as Q,p as P,q as b,r as f,s as Y,t as Z,u as ee}from"./chunk-55VRRFR5.js";import"./chunk-4PWS6X2H.js";import{a as N}from"./chunk-XUT6HQRI.js";import"./chunk-XDOIQWDV.js";import"./chunk-K5DFMXVD.js";import"./chunk-GJOJDIN2.js";import{b as J}from"./chunk-YH2OX4ZM.js";import{$ as E,F as k,R as X,W as $,Z as D,_ as e,aa as F,c as w,h as l,ha as q,ka as v,ma as G,oa as L,pa as V,qa as B,ra as h,sa as R,ta as I,w as o}from"./chunk-7SBDNSO6.js";function ne({part:i}){let{form:r,errors:t}=i,a=P.some(({key:d,usual:s})=>$(t,`/${d}`)!==void 0||s!==void 0&&!te(r[d]??s,s));return e("details",{class:"fold",open:a,children:[e("summary",{children:o("auth.applications.advanced")}),e("div",{class:"stack",children:[r.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(E,{name:"alert"}),e("span",{children:o("auth.applications.requirePkce.off")})]}),e(c,{specs:P,part:i})]})]})}function se({id:i}){let{data:r,error:t,refresh:a}=W();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:o("auth.connection.title")}),e("p",{class:"field-hint",children:o("auth.connection.hint")}),t&&e(v,{message:D(t),onRetry:()=>{a()}}),r&&e(H,{issuer:r.issuer}),r&&e(z,{fields:[[o("auth.applications.id"),i],[o("auth.connection.issuer"),r.issuer],[o("auth.connection.discovery"),U(r)],[o("auth.connection.authorization"),r.authorization_endpoint],[o("auth.connection.token"),r.token_endpoint],[o("auth.connection.userinfo"),r.userinfo_endpoint]]})]})}var C=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By"],_e=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function A(i){return`auth_${i.toLowerCase().replaceAll("-","_")}`}function y(i,r){return i.map(t=>r+t).join(`
`)}function ge(i){let{protocol:r,port:t}=new URL(i);return r==="https:"?`listen ${t||"443"} ssl;`:`listen ${t||"80"};`}function pe(i){let r=[...new Set(i.map(a=>new URL(a).hostname))],t=y(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;","proxy_set_header X-Forwarded-Host $http_host;","proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
${y([...new Set(i.map(ge))],"    ")}
    server_name ${r.join(" ")};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${y(C.map(a=>`auth_request_set $${A(a)} $upstream_http_x_${A(a)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
${y(C.map(a=>`proxy_set_header X-Auth-${a} $${A(a)};`),"        ")}
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
}`}function xe(i){let{protocol:r,host:t,port:a}=new URL(i);return r==="https:"&&a===""?t:i}function de(i){let r=["-X-Auth-*",..._e.map(t=>t==="`"?'"-*`*"':`-*${t}*`)];return`${i.map(xe).join(", ")} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082
	}

	handle {
		route {
${y(r.map(t=>`request_header ${t}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward?
				copy_headers ${C.map(t=>`X-Auth-${t}`).join(" ")}
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
}`}var we={nginx:pe,caddy:de};function le({origins:i}){let[r,t]=l("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:o("auth.applications.lines")}),e(q,{label:o("auth.applications.lines.proxy"),value:r,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"}],onChange:t}),e("p",{class:"field-hint",children:o("auth.applications.lines.hint")}),e(R,{label:o("auth.applications.lines"),value:we[r](i)})]})}var ce={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function me(i){let{application:r,dirty:t,onChanged:a}=i,{id:d,name:s,hasOlderSecret:_}=r,[n,p]=l(),[m,g]=l(),x=G();async function ue(u){let{path:fe,method:ye}=ce[u],S=await X(`${f(d)}/${fe}`,{method:ye});p(void 0),"secret"in S&&g(S),a(S)}let he=_?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:o("auth.applications.secret.title")}),e("p",{class:"field-hint",children:o(_?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[he.map(u=>e(F,{icon:"key",disabled:t,onClick:()=>p(u),children:o(`auth.applications.secret.${u}`)},u)),t&&e("span",{class:"field-hint",children:o("auth.applications.saveFirst")})]}),n&&e(J,{title:o(`auth.applications.secret.${n}`),action:o(`auth.applications.secret.${n}`),danger:ce[n].isDangerous,busy:x.busy,onConfirm:()=>{x.run(()=>ue(n))},onClose:()=>p(void 0),children:[x.message!==void 0&&e(v,{message:x.message}),e("p",{children:o(`auth.applications.secret.${n}.text`,{name:s})})]}),m&&e(ee,{made:m,onClose:()=>g(void 0)})]})}var $e=ae(b),Fe=b.map(({key:i})=>`/${i}`);function ve({stored:i}){let r=ie(i,Y),{base:t,form:a,dirty:d,task:s}=r,[_,n]=l(!1),p={form:a,errors:s.errors,onChange:r.change},{allowedGroups:m}=a;return e(w,{children:[e(L,{title:e(w,{children:[t.name," ",!t.enabled&&e(I,{kind:"warn",children:o("auth.applications.off")})]}),children:e(F,{icon:"trash",kind:"danger",disabled:d,onClick:()=>n(!0),children:o("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(oe.Provider,{value:$e,children:e(re,{label:t.name,editor:r,pointers:Fe,children:[e(h,{title:o("auth.applications.about"),children:e(c,{specs:M,part:p})}),e(h,{title:o("auth.applications.who"),children:e(T,{allowed:Array.isArray(m)?m:[],error:$(s.errors,"/allowedGroups"),onChange:g=>r.change({allowedGroups:g})})}),e(h,{title:o("auth.applications.signIn"),hint:o("auth.applications.signIn.hint"),children:[e(c,{specs:[...K,Q],part:p}),e(ne,{part:p})]}),e(h,{title:o("auth.applications.proxy"),hint:o("auth.applications.proxy.hint"),children:e(c,{specs:j,part:p})})]})}),e("div",{class:"stack",children:[e(Z,{application:t}),e(se,{id:t.id}),t.clientType==="confidential"&&e(me,{application:t,dirty:d,onChanged:r.begin}),t.protectedOrigins.length>0&&e(le,{origins:t.protectedOrigins})]})]}),_&&e(O,{title:o("auth.applications.delete"),path:f(t.id),name:t.name,onDone:async()=>k("/admin/applications",{replace:!0}),onClose:()=>n(!1),children:o("auth.applications.delete.text",{name:t.name})})]})}function St({id:i}){let r=N(f(i),0);return e(w,{children:[e(B,{to:"/admin/applications",label:"auth.nav.applications"}),e(V,{of:r,children:t=>e(ve,{stored:t})})]})}export{St as ApplicationPage};
