import{a as M,c as j,i as K,j as Q,k as Y,l as Z,m as ee,n as te,o as oe,p as re,q as T,r as D,s as g,t as ie,u as ae,v as ne}from"./chunk-EQCYQD3A.js";import{a as se,b as pe,c as le,d as de,e as ce,f as $}from"./chunk-CR7IAZU6.js";import"./chunk-AA3X27CQ.js";import"./chunk-OPWG2Z3Z.js";import"./chunk-LV7U2Y5V.js";import"./chunk-SFJGL74E.js";import{a as S}from"./chunk-HQGAB7X2.js";import{a as W}from"./chunk-EUNN3GRS.js";import"./chunk-35HPM4WX.js";import"./chunk-BQYVVHOD.js";import{b as O}from"./chunk-ABKBY2BE.js";import{$ as e,F as q,K as H,S as F,X as w,_ as B,aa as G,ba as b,c as x,h as m,ha as L,ia as N,la as y,na as P,qa as U,ra as k,sa as z,ta as f,ua as A,va as I,w as i}from"./chunk-TBKQLFHN.js";function me({part:o}){let{form:t,errors:r}=o,n=T.some(({key:a,usual:s})=>w(r,`/${a}`)!==void 0||s!==void 0&&!se(t[a]??s,s));return e("details",{class:"fold",open:n,children:[e("summary",{children:i("auth.applications.advanced")}),e("div",{class:"stack",children:[t.requirePkce===!1&&e("p",{class:"admin-note is-warn",children:[e(G,{name:"alert"}),e("span",{children:i("auth.applications.requirePkce.off")})]}),e($,{specs:T,part:o})]})]})}function ue({id:o}){let{data:t,error:r,refresh:n}=K();return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"connection-title",children:[e("h2",{id:"connection-title",children:i("auth.connection.title")}),e("p",{class:"field-hint",children:i("auth.connection.hint")}),r&&e(y,{message:B(r),onRetry:()=>{n()}}),t&&e(Y,{issuer:t.issuer}),t&&e(Q,{fields:[[i("auth.applications.id"),o],[i("auth.connection.issuer"),t.issuer],[i("auth.connection.discovery"),j(t)],[i("auth.connection.authorization"),t.authorization_endpoint],[i("auth.connection.token"),t.token_endpoint],[i("auth.connection.userinfo"),t.userinfo_endpoint]]})]})}var C=["User-Id","Username","Display-Name","Email","Email-Verified","Role","Groups","Session-Id","Impersonated-By","Assertion"],Pe=["_",".","!","#","$","%","&","'","*","+","^","`","|","~"];function J(o){return`auth_${o.toLowerCase().replaceAll("-","_")}`}function _(o,t){return o.map(r=>t+r).join(`
`)}function ke(o){let{protocol:t,port:r}=new URL(o);return t==="https:"?`listen ${r||"443"} ssl;`:`listen ${r||"80"};`}function Ae(o,t){let{host:r,hostname:n}=new URL(t),a=_(["proxy_set_header X-Forwarded-For $remote_addr;","proxy_set_header X-Forwarded-Proto $scheme;",`proxy_set_header X-Forwarded-Host ${r};`,"proxy_set_header X-Forwarded-Uri $request_uri;"],"        ");return`server {
    ${ke(t)}
    server_name ${n};
    # ssl_certificate, ssl_certificate_key \u2026

    auth_request /_auth;
${_(C.map(s=>`auth_request_set $${J(s)} $upstream_http_x_${J(s)};`),"    ")}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host ${r};
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host ${r};
${_(C.map(s=>`proxy_set_header X-Auth-${s} $${J(s)};`),"        ")}
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
}`}function he({id:o,protectedOrigins:t}){return t.map(r=>Ae(o,r)).join(`

`)}function Se(o){let{protocol:t,host:r,port:n}=new URL(o);return t==="https:"&&n===""?r:o}function Ce(o,t){let{host:r}=new URL(t),n=["-X-Auth-*",...Pe.map(a=>a==="`"?'"-*`*"':`-*${a}*`)];return`${Se(t)} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082 {
			header_up X-Forwarded-Host ${r}
		}
	}

	handle {
		route {
${_(n.map(a=>`request_header ${a}`),"			")}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward/${o}?
				header_up X-Forwarded-Host ${r}
				copy_headers ${C.map(a=>`X-Auth-${a}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up Host ${r}
				header_up X-Forwarded-Host ${r}
				header_up -Authorization
${_(C.map(a=>`header_up X-Auth-${a} {http.request.header.X-Auth-${a}}`),"				")}
			}
		}
	}
}`}function fe({id:o,protectedOrigins:t}){return t.map(r=>Ce(o,r)).join(`

`)}function Xe(o,t,r){let{protocol:n,host:a,hostname:s}=new URL(t),p=r===0?o:`${o}-${r+1}`,l=`Host(\`${s}\`)`,d=n==="https:"?["entryPoints: [websecure]","tls: {}"]:["entryPoints: [web]"];return{middlewares:[`${p}-host:`,"  headers:","    customRequestHeaders:",`      Host: ${a}`,`      X-Forwarded-Host: ${a}`],routers:[`${p}-site:`,`  rule: ${l}`,...d.map(c=>`  ${c}`),`  middlewares: [${p}-host, ${o}-auth, ${o}-drop-token]`,`  service: ${o}-app`,`${p}-sign-in:`,`  rule: ${l} && PathPrefix(\`/.trivet/\`)`,...d.map(c=>`  ${c}`),`  middlewares: [${p}-host]`,"  service: auth-center"]}}function ye({id:o,protectedOrigins:t}){let r=t.map((n,a)=>Xe(o,n,a));return`http:
  middlewares:
${_(r.flatMap(({middlewares:n})=>n),"    ")}
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
${_(r.flatMap(({routers:n})=>n),"    ")}
  services:
    ${o}-app:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:4901
    auth-center:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:8082`}var Ee={nginx:he,caddy:fe,traefik:ye};function ge({application:o}){let[t,r]=m("nginx");return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"proxy-lines",children:[e("h2",{id:"proxy-lines",children:i("auth.applications.lines")}),e(N,{label:i("auth.applications.lines.proxy"),value:t,choices:[{value:"nginx",label:"nginx"},{value:"caddy",label:"Caddy"},{value:"traefik",label:"Traefik"}],onChange:r}),e("p",{class:"field-hint",children:i("auth.applications.lines.hint")}),e(A,{label:i("auth.applications.lines"),value:Ee[t](o)})]})}var Re="/api/admin/resources";function Te({builtIn:o,items:t}){return[...o.map(({identifier:n,scopes:a})=>({identifier:n,title:i(`auth.applications.resources.${n}`),scopes:a.map(s=>({name:s,title:s}))})),...t].flatMap(({identifier:n,title:a,scopes:s})=>[{line:n,label:`${a} (${n})`},...s.map(({name:p,title:l})=>({line:`${n} ${p}`,label:l===p?`${a} \xB7 ${p}`:`${a} \xB7 ${p}: ${l}`}))])}function De(o,t,r){let[n=""]=t.split(" ");return r?[...new Set([...o,n,t])]:o.filter(a=>a!==t&&!(t===n&&a.startsWith(`${t} `)))}function $e({part:o}){let{form:t,errors:r,onChange:n}=o,a=Array.isArray(t.resources)?t.resources:[],s=w(r,"/resources"),p=S(Re,0),l=i("auth.applications.resources");return e(f,{title:l,hint:i("auth.applications.resources.hint"),children:e(k,{of:p,children:d=>e("div",{class:"tick-list",role:"group","aria-label":l,children:[Te(d).map(({line:c,label:u})=>e(L,{label:u,checked:a.includes(c),onChange:h=>n({resources:De(a,c,h)})},c)),s&&e("span",{class:"field-error",children:s})]})})})}var _e={second:{path:"secrets",method:"POST",isDangerous:!1},new:{path:"rotate-secret",method:"POST",isDangerous:!0},retire:{path:"secrets/older",method:"DELETE",isDangerous:!0}};function xe(o){let{application:t,dirty:r,onChanged:n}=o,{id:a,name:s,hasOlderSecret:p}=t,[l,d]=m(),[c,u]=m(),h=P();async function E(v){let{path:ve,method:Fe}=_e[v],R=await F(`${g(a)}/${ve}`,{method:Fe});d(void 0),"secret"in R&&u(R),n(R)}let be=p?["retire","new"]:["second","new"];return e("section",{class:"admin-panel stack-small beside-form","aria-labelledby":"secret-title",children:[e("h2",{id:"secret-title",children:i("auth.applications.secret.title")}),e("p",{class:"field-hint",children:i(p?"auth.applications.secret.two":"auth.applications.secret.hint")}),e("div",{class:"button-row",children:[be.map(v=>e(b,{icon:"key",disabled:r,onClick:()=>d(v),children:i(`auth.applications.secret.${v}`)},v)),r&&e("span",{class:"field-hint",children:i("auth.applications.saveFirst")})]}),l&&e(O,{title:i(`auth.applications.secret.${l}`),action:i(`auth.applications.secret.${l}`),danger:_e[l].isDangerous,busy:h.busy,onConfirm:()=>{h.run(()=>E(l))},onClose:()=>d(void 0),children:[h.message!==void 0&&e(y,{message:h.message}),e("p",{children:i(`auth.applications.secret.${l}.text`,{name:s})})]}),c&&e(ne,{made:c,onClose:()=>u(void 0)})]})}function Je(o){return o.replaceAll(/(?<=^|-)[a-z]/gu,t=>t.toUpperCase())}function V(o){return JSON.stringify(o,void 0,2)}function X({label:o,value:t}){return e("section",{class:"stack-small",children:[e("h3",{children:i(o)}),e(A,{label:i(o),value:t})]})}function Ve({trial:o,application:t}){let{username:r,refusal:n,idToken:a,userinfo:s,headers:p,assertion:l}=o;if(n!==void 0)return e(y,{message:i(`auth.trial.${n}`,{name:r})});let d=t.protectedOrigins.length>0,c=!d||t.redirectUris.length>0||t.deviceFlow,u=Object.entries(p??{}).map(([h,E])=>`${Je(h)}: ${E}`);return e(x,{children:[e("p",{role:"status",children:i("auth.trial.allowed",{name:r})}),c&&a&&e(X,{label:"auth.trial.idToken",value:V(a)}),c&&s&&e(X,{label:"auth.trial.userinfo",value:V(s)}),d&&e(X,{label:"auth.trial.headers",value:u.join(`
`)}),d&&l&&e(X,{label:"auth.trial.assertion",value:V(l)})]})}function we({application:o}){let[t,r]=m(),n=P(),{value:a}=H,s=a.kind==="in"&&a.info.name!=="",p=async()=>r(await F(`${g(o.id)}/trial`));return e("section",{class:"admin-panel stack-small beside-form proxy-lines","aria-labelledby":"trial-title",children:[e("h2",{id:"trial-title",children:i("auth.trial.title")}),e("p",{class:"field-hint",children:i(s?"auth.trial.hint":"auth.trial.token")}),n.message!==void 0&&e(y,{message:n.message}),s&&e("div",{class:"button-row",children:e(b,{icon:"refresh",disabled:n.busy,onClick:()=>{n.run(p)},children:i("auth.trial.run")})}),t&&e(Ve,{trial:t,application:o})]})}var qe=ce(D),He=D.map(({key:o})=>`/${o}`);function Be({stored:o}){let t=de(o,ie),{base:r,form:n,dirty:a,task:s}=t,[p,l]=m(!1),d={form:n,errors:s.errors,onChange:t.change},{allowedGroups:c}=n;return e(x,{children:[e(U,{title:e(x,{children:[r.name," ",!r.enabled&&e(I,{kind:"warn",children:i("auth.applications.off")})]}),children:e(b,{icon:"trash",kind:"danger",disabled:a,onClick:()=>l(!0),children:i("admin.delete")})}),e("div",{class:"form-and-panels",children:[e(pe.Provider,{value:qe,children:e(le,{label:r.name,editor:t,pointers:He,children:[e(f,{title:i("auth.applications.about"),children:e($,{specs:ee,part:d})}),e(f,{title:i("auth.applications.who"),children:e(M,{allowed:Array.isArray(c)?c:[],error:w(s.errors,"/allowedGroups"),onChange:u=>t.change({allowedGroups:u})})}),e(f,{title:i("auth.applications.signIn"),hint:i("auth.applications.signIn.hint"),children:[e($,{specs:[...oe,re],part:d}),e(me,{part:d})]}),e($e,{part:d}),e(f,{title:i("auth.policy.title"),hint:i("auth.policy.hint"),children:e($,{specs:Z,part:d})}),e(f,{title:i("auth.applications.proxy"),hint:i("auth.applications.proxy.hint"),children:e($,{specs:te,part:d})})]})}),e("div",{class:"stack",children:[e(ae,{application:r}),r.protectedOrigins.length>0&&e(ge,{application:r}),e(we,{application:r}),e(ue,{id:r.id}),r.clientType==="confidential"&&e(xe,{application:r,dirty:a,onChanged:t.begin})]})]}),p&&e(W,{title:i("auth.applications.delete"),path:g(r.id),name:r.name,onDone:async()=>q("/admin/applications",{replace:!0}),onClose:()=>l(!1),children:i("auth.applications.delete.text",{name:r.name})})]})}function ao({id:o}){let t=S(g(o),0);return e(x,{children:[e(z,{to:"/admin/applications",label:"auth.nav.applications"}),e(k,{of:t,children:r=>e(Be,{stored:r})})]})}export{ao as ApplicationPage};
