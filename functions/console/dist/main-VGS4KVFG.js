import{a}from"./chunk-L4PPZ5XT.js";import"./chunk-334IMDXS.js";export{a as leave};
