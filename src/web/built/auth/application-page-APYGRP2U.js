import{a as ae,b as ne,c as se,d as pe,e as le,f as $}from"./chunk-2VPXK3PX.js";import"./chunk-MAEWHE2K.js";import{a as I}from"./chunk-O2JWFBAG.js";import{a as W,c as M,i as j,j as K,k as Q,l as Y,m as Z,n as ee,o as te,p as E,q as T,r as h,s as oe,t as re,u as ie}from"./chunk-INQRU3EG.js";import"./chunk-4PWS6X2H.js";import{a as z}from"./chunk-XUT6HQRI.js";import"./chunk-XDOIQWDV.js";import"./chunk-K5DFMXVD.js";import"./chunk-GJOJDIN2.js";import{b as L}from"./chunk-YH2OX4ZM.js";import{$ as q,F as H,K as J,R as b,W as P,Z as V,_ as e,aa as x,c as _,h as m,ha as B,ka as u,ma as A,oa as G,pa as N,qa as O,ra as v,sa as k,ta as U,w as i}from"./chunk-7SBDNSO6.js";function de({part:o}){let{form:r,errors:t}=o,n=E.some(({key:a,usual:s})=>P(t,`/${a}`)!==void 0||s!==void 0&&!ae(r[a]??s,s));return e("details",{class:"fold",open:n,children:[e("summary",{children:i("auth.applications.advanced")}),e("div",{class:"stack",children:[r.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(q,{name:"alert"}),e("span",{children:i("auth.applications.requirePkce.off")})]}),e($,{specs:E,part:o})]})]})}function ce({id:o}){let{data:r,error:t,refresh:n}=j();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:i("auth.connection.title")}),e("p",{class:"field-hint",children:i("auth.connection.hint")}),t&&e(u,{message:V(t),onRetry:()=>{n()}}),r&&e(Q,{issuer:r.issuer}),r&&e(K,{fields:[[i("auth.applications.id"),o],[i("auth.connection.issuer"),r.issuer],[i("auth.connection.discovery"),M(r)],[i("auth.connection.authorization"),r.authorization_endpoint],[i("auth.connection.token"),r.token_endpoint],[i("auth.connection.userinfo"),r.userinfo_endpoint]]})]})}var F=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By","Assertion"],ve=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function D(o){return`auth_${o.toLowerCase().replaceAll("-","_")}`}function f(o,r){return o.map(t=>r+t).join(`
`)}function be(o){let{protocol:r,port:t}=new URL(o);return r==="https:"?`listen ${t||"443"} ssl;`:`listen ${t||"80"};`}function Pe(o,r){let{host:t,hostname:n}=new URL(r),a=f(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;",`proxy_set_header X-Forwarded-Host ${t};`,"proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
    ${be(r)}
    server_name ${n};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${f(F.map(s=>`auth_request_set $${D(s)} $upstream_http_x_${D(s)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host ${t};
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host ${t};
${f(F.map(s=>`proxy_set_header X-Auth-${s} $${D(s)};`),"        ")}
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
        proxy_pass http://127.0.0.1:8082/api/auth/forward/${o};
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
${a}
        proxy_set_header Accept application/json;
        proxy_set_header Sec-Fetch-Mode cors;
        proxy_buffer_size 12k;
        proxy_connect_timeout 2s;
        proxy_read_timeout 2s;
    }

    location @auth_down {
        auth_request off;
        add_header Retry-After 5 always;
        return 503;
    }
}`}function me({id:o,protectedOrigins:r}){return r.map(t=>Pe(o,t)).join(`

`)}function Ae(o){let{protocol:r,host:t,port:n}=new URL(o);return r==="https:"&&n===""?t:o}function ke(o,r){let{host:t}=new URL(r),n=["-X-Auth-*",...ve.map(a=>a==="`"?'"-*`*"':`-*${a}*`)];return`${Ae(r)} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082 {
			header_up X-Forwarded-Host ${t}
		}
	}

	handle {
		route {
${f(n.map(a=>`request_header ${a}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward/${o}?
				header_up X-Forwarded-Host ${t}
				copy_headers ${F.map(a=>`X-Auth-${a}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up Host ${t}
				header_up X-Forwarded-Host ${t}
				header_up -Authorization
${f(F.map(a=>`header_up X-Auth-${a} {http.request.header.X-Auth-${a}}`),"				")}
			}
		}
	}
}`}function ue({id:o,protectedOrigins:r}){return r.map(t=>ke(o,t)).join(`

`)}function Fe(o,r,t){let{protocol:n,host:a,hostname:s}=new URL(r),d=t===0?o:`${o}-${t+1}`,p=`Host(\`${s}\`)`,l=n==="https:"?["entryPoints: [websecure]","tls: {}"]:["entryPoints: [web]"];return{middlewares:[`${d}-host:`,"  headers:","    customRequestHeaders:",`      Host: ${a}`,`      X-Forwarded-Host: ${a}`],routers:[`${d}-site:`,`  rule: ${p}`,...l.map(c=>`  ${c}`),`  middlewares: [${d}-host, ${o}-auth, ${o}-drop-token]`,`  service: ${o}-app`,`${d}-sign-in:`,`  rule: ${p} && PathPrefix(\`/.trivet/\`)`,...l.map(c=>`  ${c}`),`  middlewares: [${d}-host]`,"  service: auth-center"]}}function he({id:o,protectedOrigins:r}){let t=r.map((n,a)=>Fe(o,n,a));return`http:
  middlewares:
${f(t.flatMap(({middlewares:n})=>n),"    ")}
    ${o}-auth:
      forwardAuth:
        address: http://127.0.0.1:8082/api/auth/forward/${o}
        trustForwardHeader: false
        authResponseHeadersRegex: "(?i)^x[^a-z0-9]auth[^a-z0-9]"
    ${o}-drop-token:
      headers:
        customRequestHeaders:
          Authorization: ""
  routers:
${f(t.flatMap(({routers:n})=>n),"    ")}
  services:
    ${o}-app:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:4901
    auth-center:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:8082`}var Se={nginx:me,caddy:ue,traefik:he};function fe({application:o}){let[r,t]=m("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:i("auth.applications.lines")}),e(B,{label:i("auth.applications.lines.proxy"),value:r,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"},{value:"traefik",label:"Traefik"}],onChange:t}),e("p",{class:"field-hint",children:i("auth.applications.lines.hint")}),e(k,{label:i("auth.applications.lines"),value:Se[r](o)})]})}var ye={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function ge(o){let{application:r,dirty:t,onChanged:n}=o,{id:a,name:s,hasOlderSecret:d}=r,[p,l]=m(),[c,y]=m(),g=A();async function C(w){let{path:$e,method:we}=ye[w],X=await b(`${h(a)}/${$e}`,{method:we});l(void 0),"secret"in X&&y(X),n(X)}let xe=d?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:i("auth.applications.secret.title")}),e("p",{class:"field-hint",children:i(d?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[xe.map(w=>e(x,{icon:"key",disabled:t,onClick:()=>l(w),children:i(`auth.applications.secret.${w}`)},w)),t&&e("span",{class:"field-hint",children:i("auth.applications.saveFirst")})]}),p&&e(L,{title:i(`auth.applications.secret.${p}`),action:i(`auth.applications.secret.${p}`),danger:ye[p].isDangerous,busy:g.busy,onConfirm:()=>{g.run(()=>C(p))},onClose:()=>l(void 0),children:[g.message!==void 0&&e(u,{message:g.message}),e("p",{children:i(`auth.applications.secret.${p}.text`,{name:s})})]}),c&&e(ie,{made:c,onClose:()=>y(void 0)})]})}function Ce(o){return o.replaceAll(/(?<=^|-)[a-z]/gu,r=>r.toUpperCase())}function R(o){return JSON.stringify(o,void 0,2)}function S({label:o,value:r}){return e("section",{class:"stack-small",children:[e("h3",{children:i(o)}),e(k,{label:i(o),value:r})]})}function Xe({trial:o,application:r}){let{username:t,refusal:n,idToken:a,userinfo:s,headers:d,assertion:p}=o;if(n!==void 0)return e(u,{message:i(`auth.trial.${n}`,{name:t})});let l=r.protectedOrigins.length>0,c=!l||r.redirectUris.length>0||r.deviceFlow,y=Object.entries(d??{}).map(([g,C])=>`${Ce(g)}: ${C}`);return e(_,{children:[e("p",{role:"status",children:i("auth.trial.allowed",{name:t})}),c&&a&&e(S,{label:"auth.trial.idToken",value:R(a)}),c&&s&&e(S,{label:"auth.trial.userinfo",value:R(s)}),l&&e(S,{label:"auth.trial.headers",value:y.join(`
`)}),l&&p&&e(S,{label:"auth.trial.assertion",value:R(p)})]})}function _e({application:o}){let[r,t]=m(),n=A(),{value:a}=J,s=a.kind==="in"&&a.info.name!=="",d=async()=>t(await b(`${h(o.id)}/trial`));return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"trial-title",children:[e("h2",{id:"trial-title",children:i("auth.trial.title")}),e("p",{class:"field-hint",children:i(s?"auth.trial.hint":"auth.trial.token")}),n.message!==void 0&&e(u,{message:n.message}),s&&e("div",{class:"button-row",children:e(x,{icon:"refresh",disabled:n.busy,onClick:()=>{n.run(d)},children:i("auth.trial.run")})}),r&&e(Xe,{trial:r,application:o})]})}var Ee=le(T),Te=T.map(({key:o})=>`/${o}`);function De({stored:o}){let r=pe(o,oe),{base:t,form:n,dirty:a,task:s}=r,[d,p]=m(!1),l={form:n,errors:s.errors,onChange:r.change},{allowedGroups:c}=n;return e(_,{children:[e(G,{title:e(_,{children:[t.name," ",!t.enabled&&e(U,{kind:"warn",children:i("auth.applications.off")})]}),children:e(x,{icon:"trash",kind:"danger",disabled:a,onClick:()=>p(!0),children:i("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(ne.Provider,{value:Ee,children:e(se,{label:t.name,editor:r,pointers:Te,children:[e(v,{title:i("auth.applications.about"),children:e($,{specs:Y,part:l})}),e(v,{title:i("auth.applications.who"),children:e(W,{allowed:Array.isArray(c)?c:[],error:P(s.errors,"/allowedGroups"),onChange:y=>r.change({allowedGroups:y})})}),e(v,{title:i("auth.applications.signIn"),hint:i("auth.applications.signIn.hint"),children:[e($,{specs:[...ee,te],part:l}),e(de,{part:l})]}),e(v,{title:i("auth.applications.proxy"),hint:i("auth.applications.proxy.hint"),children:e($,{specs:Z,part:l})})]})}),e("div",{class:"stack",children:[e(re,{application:t}),e(_e,{application:t}),e(ce,{id:t.id}),t.clientType==="confidential"&&e(ge,{application:t,dirty:a,onChanged:r.begin}),t.protectedOrigins.length>0&&e(fe,{application:t})]})]}),d&&e(I,{title:i("auth.applications.delete"),path:h(t.id),name:t.name,onDone:async()=>H("/admin/applications",{replace:!0}),onClose:()=>p(!1),children:i("auth.applications.delete.text",{name:t.name})})]})}function Ut({id:o}){let r=z(h(o),0);return e(_,{children:[e(O,{to:"/admin/applications",label:"auth.nav.applications"}),e(N,{of:r,children:t=>e(De,{stored:t})})]})}export{Ut as ApplicationPage};
