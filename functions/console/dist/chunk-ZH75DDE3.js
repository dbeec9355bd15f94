function g(t,n={}){return t.replace(/\{(\w+)\}/g,(i,r)=>r in n?String(n[r]):i)}export{g as a};
