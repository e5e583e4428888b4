import{a as Y,c as Z,i as j,j as ee,k as te,l as oe,m as re,n as ie,o as ae,p as ne,q as T,r as J,s as $,t as se,u as pe,v as le}from"./chunk-T3QLMU3S.js";import{a as de,b as ce,c as me,d as ue,e as fe,f as _}from"./chunk-CR7IAZU6.js";import"./chunk-AA3X27CQ.js";import"./chunk-OPWG2Z3Z.js";import"./chunk-LV7U2Y5V.js";import"./chunk-SFJGL74E.js";import{b as Q}from"./chunk-BBB2HSH6.js";import{a as W}from"./chunk-G3HSSU5B.js";import{a as v}from"./chunk-HQGAB7X2.js";import{a as K}from"./chunk-EUNN3GRS.js";import"./chunk-35HPM4WX.js";import"./chunk-BQYVVHOD.js";import{b as N}from"./chunk-ABKBY2BE.js";import{$ as e,F as V,K as q,L as H,S,X as y,_ as G,aa as B,ba as F,c as w,h as u,ha as O,ia as U,la as g,na as A,qa as z,ra as b,sa as I,ta as m,ua as k,va as M,w as i}from"./chunk-TBKQLFHN.js";function he({part:o}){let{form:t,errors:r}=o,a=T.some(({key:n,usual:s})=>y(r,`/${n}`)!==void 0||s!==void 0&&!de(t[n]??s,s));return e("details",{class:"fold",open:a,children:[e("summary",{children:i("auth.applications.advanced")}),e("div",{class:"stack",children:[t.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(B,{name:"alert"}),e("span",{children:i("auth.applications.requirePkce.off")})]}),e(_,{specs:T,part:o})]})]})}function ye({id:o}){let{data:t,error:r,refresh:a}=j();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:i("auth.connection.title")}),e("p",{class:"field-hint",children:i("auth.connection.hint")}),r&&e(g,{message:G(r),onRetry:()=>{a()}}),t&&e(te,{issuer:t.issuer}),t&&e(ee,{fields:[[i("auth.applications.id"),o],[i("auth.connection.issuer"),t.issuer],[i("auth.connection.discovery"),Z(t)],[i("auth.connection.authorization"),t.authorization_endpoint],[i("auth.connection.token"),t.token_endpoint],[i("auth.connection.userinfo"),t.userinfo_endpoint]]})]})}function ge({part:o}){let{form:t,errors:r,onChange:a}=o,n=Array.isArray(t.machineScopes)?t.machineScopes:[],s=v(W,0);return e(m,{title:i("auth.applications.machine"),hint:i("auth.applications.machine.hint"),children:e(b,{of:s,children:({items:l})=>e(Q,{label:i("auth.roles.scopes"),offered:l.find(({everything:p})=>p)?.scopes??[],scopes:n,error:y(r,"/machineScopes"),onChange:p=>a({machineScopes:p})})})})}var C=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By","Assertion"],Ce=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function D(o){return`auth_${o.toLowerCase().replaceAll("-","_")}`}function x(o,t){return o.map(r=>t+r).join(`
`)}function Xe(o){let{protocol:t,port:r}=new URL(o);return t==="https:"?`listen ${r||"443"} ssl;`:`listen ${r||"80"};`}function Ee(o,t){let{host:r,hostname:a}=new URL(t),n=x(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;",`proxy_set_header X-Forwarded-Host ${r};`,"proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
    ${Xe(t)}
    server_name ${a};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${x(C.map(s=>`auth_request_set $${D(s)} $upstream_http_x_${D(s)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host ${r};
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host ${r};
${x(C.map(s=>`proxy_set_header X-Auth-${s} $${D(s)};`),"        ")}
        proxy_set_header X-Auth-Client "";
        proxy_set_header Authorization "";
    }

    location /.trivet/ {
        auth_request off;
        proxy_pass http://127.0.0.1:8082;
${n}
    }

    location = /_auth {
        internal;
        auth_request off;
        proxy_pass http://127.0.0.1:8082/api/auth/forward/${o};
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
${n}
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
}`}function $e({id:o,protectedOrigins:t}){return t.map(r=>Ee(o,r)).join(`

`)}function Re(o){let{protocol:t,host:r,port:a}=new URL(o);return t==="https:"&&a===""?r:o}function Te(o,t){let{host:r}=new URL(t),a=["-X-Auth-*",...Ce.map(n=>n==="`"?'"-*`*"':`-*${n}*`)];return`${Re(t)} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082 {
			header_up X-Forwarded-Host ${r}
		}
	}

	handle {
		route {
${x(a.map(n=>`request_header ${n}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward/${o}?
				header_up X-Forwarded-Host ${r}
				copy_headers ${C.map(n=>`X-Auth-${n}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up Host ${r}
				header_up X-Forwarded-Host ${r}
				header_up -Authorization
${x(C.map(n=>`header_up X-Auth-${n} {http.request.header.X-Auth-${n}}`),"				")}
			}
		}
	}
}`}function _e({id:o,protectedOrigins:t}){return t.map(r=>Te(o,r)).join(`

`)}function Je(o,t,r){let{protocol:a,host:n,hostname:s}=new URL(t),l=r===0?o:`${o}-${r+1}`,p=`Host(\`${s}\`)`,d=a==="https:"?["entryPoints: [websecure]","tls: {}"]:["entryPoints: [web]"];return{middlewares:[`${l}-host:`,"  headers:","    customRequestHeaders:",`      Host: ${n}`,`      X-Forwarded-Host: ${n}`],routers:[`${l}-site:`,`  rule: ${p}`,...d.map(c=>`  ${c}`),`  middlewares: [${l}-host, ${o}-auth, ${o}-drop-token]`,`  service: ${o}-app`,`${l}-sign-in:`,`  rule: ${p} && PathPrefix(\`/.trivet/\`)`,...d.map(c=>`  ${c}`),`  middlewares: [${l}-host]`,"  service: auth-center"]}}function xe({id:o,protectedOrigins:t}){let r=t.map((a,n)=>Je(o,a,n));return`http:
  middlewares:
${x(r.flatMap(({middlewares:a})=>a),"    ")}
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
${x(r.flatMap(({routers:a})=>a),"    ")}
  services:
    ${o}-app:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:4901
    auth-center:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:8082`}var De={nginx:$e,caddy:_e,traefik:xe};function we({application:o}){let[t,r]=u("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:i("auth.applications.lines")}),e(U,{label:i("auth.applications.lines.proxy"),value:t,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"},{value:"traefik",label:"Traefik"}],onChange:r}),e("p",{class:"field-hint",children:i("auth.applications.lines.hint")}),e(k,{label:i("auth.applications.lines"),value:De[t](o)})]})}var Le="/api/admin/resources";function Ve({builtIn:o,items:t}){return[...o.map(({identifier:a,scopes:n})=>({identifier:a,title:i(`auth.applications.resources.${a}`),scopes:n.map(s=>({name:s,title:s}))})),...t].flatMap(({identifier:a,title:n,scopes:s})=>[{line:a,label:`${n} (${a})`},...s.map(({name:l,title:p})=>({line:`${a} ${l}`,label:p===l?`${n} \xB7 ${l}`:`${n} \xB7 ${l}: ${p}`}))])}function qe(o,t,r){let[a=""]=t.split(" ");return r?[...new Set([...o,a,t])]:o.filter(n=>n!==t&&!(t===a&&n.startsWith(`${t} `)))}function Fe({part:o}){let{form:t,errors:r,onChange:a}=o,n=Array.isArray(t.resources)?t.resources:[],s=y(r,"/resources"),l=v(Le,0),p=i("auth.applications.resources");return e(m,{title:p,hint:i("auth.applications.resources.hint"),children:e(b,{of:l,children:d=>e("div",{class:"tick-list",role:"group","aria-label":p,children:[Ve(d).map(({line:c,label:f})=>e(O,{label:f,checked:n.includes(c),onChange:h=>a({resources:qe(n,c,h)})},c)),s&&e("span",{class:"field-error",children:s})]})})})}var be={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function ve(o){let{application:t,dirty:r,onChanged:a}=o,{id:n,name:s,hasOlderSecret:l}=t,[p,d]=u(),[c,f]=u(),h=A();async function E(P){let{path:Ae,method:ke}=be[P],R=await S(`${$(n)}/${Ae}`,{method:ke});d(void 0),"secret"in R&&f(R),a(R)}let Se=l?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:i("auth.applications.secret.title")}),e("p",{class:"field-hint",children:i(l?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[Se.map(P=>e(F,{icon:"key",disabled:r,onClick:()=>d(P),children:i(`auth.applications.secret.${P}`)},P)),r&&e("span",{class:"field-hint",children:i("auth.applications.saveFirst")})]}),p&&e(N,{title:i(`auth.applications.secret.${p}`),action:i(`auth.applications.secret.${p}`),danger:be[p].isDangerous,busy:h.busy,onConfirm:()=>{h.run(()=>E(p))},onClose:()=>d(void 0),children:[h.message!==void 0&&e(g,{message:h.message}),e("p",{children:i(`auth.applications.secret.${p}.text`,{name:s})})]}),c&&e(le,{made:c,onClose:()=>f(void 0)})]})}function He(o){return o.replaceAll(/(?<=^|-)[a-z]/gu,t=>t.toUpperCase())}function L(o){return JSON.stringify(o,void 0,2)}function X({label:o,value:t}){return e("section",{class:"stack-small",children:[e("h3",{children:i(o)}),e(k,{label:i(o),value:t})]})}function Ge({trial:o,application:t}){let{username:r,refusal:a,idToken:n,userinfo:s,headers:l,assertion:p}=o;if(a!==void 0)return e(g,{message:i(`auth.trial.${a}`,{name:r})});let d=t.protectedOrigins.length>0,c=!d||t.redirectUris.length>0||t.deviceFlow,f=Object.entries(l??{}).map(([h,E])=>`${He(h)}: ${E}`);return e(w,{children:[e("p",{role:"status",children:i("auth.trial.allowed",{name:r})}),c&&n&&e(X,{label:"auth.trial.idToken",value:L(n)}),c&&s&&e(X,{label:"auth.trial.userinfo",value:L(s)}),d&&e(X,{label:"auth.trial.headers",value:f.join(`
`)}),d&&p&&e(X,{label:"auth.trial.assertion",value:L(p)})]})}function Pe({application:o}){let[t,r]=u(),a=A(),{value:n}=q,s=n.kind==="in"&&n.info.name!=="",l=async()=>r(await S(`${$(o.id)}/trial`));return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"trial-title",children:[e("h2",{id:"trial-title",children:i("auth.trial.title")}),e("p",{class:"field-hint",children:i(s?"auth.trial.hint":"auth.trial.token")}),a.message!==void 0&&e(g,{message:a.message}),s&&e("div",{class:"button-row",children:e(F,{icon:"refresh",disabled:a.busy,onClick:()=>{a.run(l)},children:i("auth.trial.run")})}),t&&e(Ge,{trial:t,application:o})]})}var Be=fe(J),Oe=J.map(({key:o})=>`/${o}`);function Ue({stored:o}){let t=ue(o,se),{base:r,form:a,dirty:n,task:s}=t,[l,p]=u(!1),d={form:a,errors:s.errors,onChange:t.change},{allowedGroups:c}=a;return e(w,{children:[e(z,{title:e(w,{children:[r.name," ",!r.enabled&&e(M,{kind:"warn",children:i("auth.applications.off")})]}),children:e(F,{icon:"trash",kind:"danger",disabled:n,onClick:()=>p(!0),children:i("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(ce.Provider,{value:Be,children:e(me,{label:r.name,editor:t,pointers:Oe,children:[e(m,{title:i("auth.applications.about"),children:e(_,{specs:re,part:d})}),e(m,{title:i("auth.applications.who"),children:e(Y,{allowed:Array.isArray(c)?c:[],error:y(s.errors,"/allowedGroups"),onChange:f=>t.change({allowedGroups:f})})}),e(m,{title:i("auth.applications.signIn"),hint:i("auth.applications.signIn.hint"),children:[e(_,{specs:[...ae,ne],part:d}),e(he,{part:d})]}),e(Fe,{part:d}),a.clientType==="confidential"&&H("administrator")&&e(ge,{part:d}),e(m,{title:i("auth.policy.title"),hint:i("auth.policy.hint"),children:e(_,{specs:oe,part:d})}),e(m,{title:i("auth.applications.proxy"),hint:i("auth.applications.proxy.hint"),children:e(_,{specs:ie,part:d})})]})}),e("div",{class:"stack",children:[e(pe,{application:r}),r.protectedOrigins.length>0&&e(we,{application:r}),e(Pe,{application:r}),e(ye,{id:r.id}),r.clientType==="confidential"&&e(ve,{application:r,dirty:n,onChanged:t.begin})]})]}),l&&e(K,{title:i("auth.applications.delete"),path:$(r.id),name:r.name,onDone:async()=>V("/admin/applications",{replace:!0}),onClose:()=>p(!1),children:i("auth.applications.delete.text",{name:r.name})})]})}function xo({id:o}){let t=v($(o),0);return e(w,{children:[e(I,{to:"/admin/applications",label:"auth.nav.applications"}),e(b,{of:t,children:r=>e(Ue,{stored:r})})]})}export{xo as ApplicationPage};
