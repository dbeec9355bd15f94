import{a}from"./chunk-RLIEHMAY.js";import"./chunk-334IMDXS.js";export{a as leave};
